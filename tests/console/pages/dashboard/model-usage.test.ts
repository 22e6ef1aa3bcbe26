import { expect, test } from 'vitest'
import { usageByModel } from '../../../../console/pages/dashboard/model-usage.ts'

const hour = (model_name: string, created_at: number, quota: number) => ({
  model_name,
  created_at,
  quota,
  count: 1,
  token_used: 10,
})

test('the hours of a model are one sum, and the dearest model comes first', () => {
  const { models, rest } = usageByModel([hour('a', 0, 5), hour('b', 0, 8), hour('a', 3600, 7)], 8)

  expect(models).toEqual([
    { model: 'a', count: 2, tokens: 20, quota: 12 },
    { model: 'b', count: 1, tokens: 10, quota: 8 },
  ])
  expect(rest).toBeUndefined()
})

test('models past the maximum are kept as one rest, so the totals stay whole', () => {
  const rows = Array.from({ length: 12 }, (_, at) => hour(`model-${at}`, 0, 100 - at))

  const { models, rest } = usageByModel(rows, 8)

  expect(models).toHaveLength(8)
  expect(rest).toMatchObject({ modelCount: 4, count: 4 })
  const shown = models.reduce((sum, { quota }) => sum + quota, 0) + (rest?.quota ?? 0)
  expect(shown).toBe(rows.reduce((sum, { quota }) => sum + quota, 0))
})
