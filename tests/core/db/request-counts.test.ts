import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../../core/db/migrations/list.ts'
import { onBoth } from '../../support/toolkit.ts'

const NOW = 1_700_000_000
const HOUR = NOW - (NOW % 3600)
const migrate = MIGRATIONS.find(({ name }) => name === '0020-request-counts')?.up

onBoth('the migration to counted requests', (open) => {
  test('includes the counts of earlier versions, and the uncounted requests', async () => {
    const fixture = await open({ now: () => NOW })
    const { db, ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 1000 })
    for (let count = 0; count < 3; count++) await fixture.charge(person, { quota: 5, promptTokens: 2 })
    await db.transaction(async (trx) => {
      // As before the migration.
      await trx.schema.alterTable('carried_sums', (table) => table.dropColumn('requests'))
      await trx.schema.alterTable('log_clear_sums', (table) => table.dropColumn('requests'))
      // Seven of its requests were cleared; an hour of another day was counted wrongly.
      await trx('users').where({ id: person.id }).update({ request_count: 10 })
      await trx('quota_data').insert({
        user_id: person.id,
        username: person.username,
        model_name: 'm',
        created_at: HOUR - 10 * 86_400,
        count: 2,
        quota: 0,
        token_used: 5,
      })
      await trx('model_hours').insert({
        model_name: 'm',
        created_at: HOUR - 10 * 86_400,
        count: 2,
        quota: 0,
        token_used: 5,
      })
      await migrate?.(trx, { sign: (text) => text })
    })

    expect(await db.reader('carried_sums').where({ account: 'user', account_id: person.id }).first()).toMatchObject({
      quota: 0,
      requests: 7,
    })
    expect(await db.reader('partial_hours').pluck('created_at')).toEqual([HOUR - 10 * 86_400])
    expect(await ledger.verify()).toMatchObject({ equal: true, rows: [] })
    await db.transaction((trx) => trx('users').where({ id: person.id }).update({ request_count: 3_000_000_000 }))
    await fixture.charge(person, { quota: 5 })
  })
})
