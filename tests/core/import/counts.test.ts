import { expect, test } from 'vitest'
import { addCounts, addModelHours } from '../../../core/import/counts.ts'
import { onBoth } from '../../support/toolkit.ts'

onBoth('imported counts', (open) => {
  test('of two users in one hour are summed by model, also when they are subtracted', async () => {
    const { toolkit } = await open()
    const { db } = toolkit
    const hour = 3_600_000
    const rows = [
      [1, 'ann', hour, 'gpt-4o', 2, 20, 200],
      [2, 'bob', hour, 'gpt-4o', 3, 30, 300],
    ] as const
    const negated = rows.map(([user, name, at, model, ...sums]) => {
      const [count, quota, tokens] = sums
      return [user, name, at, model, -count, -quota, -tokens] as const
    })
    const readHours = () => db.reader('model_hours').select('model_name', 'count', 'quota', 'token_used')

    await db.transaction(async (trx) => {
      await addCounts(
        trx,
        rows.map((row) => [...row]),
      )
      await addModelHours(
        trx,
        rows.map((row) => [...row]),
      )
    })
    expect(await readHours()).toEqual([{ model_name: 'gpt-4o', count: 5, quota: 50, token_used: 500 }])

    await db.transaction((trx) =>
      addModelHours(
        trx,
        negated.map((row) => [...row]),
      ),
    )
    expect(await readHours()).toEqual([{ model_name: 'gpt-4o', count: 0, quota: 0, token_used: 0 }])
  })
})
