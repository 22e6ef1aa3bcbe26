import { expect, test } from 'vitest'
import { OPTIONS } from '../../core/options/registry.ts'
import { openToolkit } from '../../core/toolkit.ts'
import { testFolder } from '../support/toolkit.ts'

test('a new database retries on two further channels; one with users keeps the documented default', async () => {
  const dataFolder = await testFolder()
  const config = { databaseUrl: `sqlite:${dataFolder}/tollgate.db`, secret: undefined, dataFolder }
  const toolkit = await openToolkit(config, { hashCost: { memoryCost: 8, timeCost: 1 } })
  expect(toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)

  const root = await toolkit.accounts.createRoot('correct horse')
  expect(toolkit.options.get(OPTIONS.RetryTimes)).toBe(2)
  const initialValues = new Map(
    Object.values(OPTIONS).map(({ key, default: usual, initial = usual }) => [key, initial]),
  )

  if (!root) throw new Error('no root user was made')
  for (const { key, value } of toolkit.options.list(root)) expect(value, key).toBe(initialValues.get(key))
  await toolkit.options.set(root, 'RetryTimes', '0')
  expect(await toolkit.accounts.createRoot('correct horse')).toBeUndefined()
  expect(toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)
  await toolkit.close()
})
