import type { Knex } from 'knex'

/** Growing tables. On PostgreSQL, `increments` made 32-bit ids. At 100 rows a second, these last for 250 days. */
const GROWING = [
  'logs',
  'quota_data',
  'redemptions',
  'top_ups',
  'midjourneys',
  'payment_callbacks',
  'redemption_batches',
  'balance_requests',
] as const

/** Widens ids to 64 bits on PostgreSQL, if migration 0006 did not recognize PostgreSQL and left 32-bit ids. */
export async function up(trx: Knex.Transaction): Promise<void> {
  if (trx.client.dialect !== 'postgresql') return
  for (const table of GROWING) {
    const column = await trx('information_schema.columns')
      .whereRaw('table_schema = current_schema()')
      .where({ table_name: table, column_name: 'id' })
      .first('data_type')
    // Changing a type rewrites the whole table, even if it already has that type.
    if (column?.data_type === 'integer') await widenId(trx, table)
  }
}

async function widenId(trx: Knex.Transaction, table: string): Promise<void> {
  await trx.raw('ALTER TABLE ?? ALTER COLUMN id TYPE bigint', [table])
  const { rows } = await trx.raw('SELECT pg_get_serial_sequence(?, ?) AS sequence', [table, 'id'])
  if (rows[0]?.sequence) await trx.raw(`ALTER SEQUENCE ${rows[0].sequence} AS bigint`)
}
