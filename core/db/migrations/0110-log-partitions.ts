import type { Knex } from 'knex'

/**
 * On PostgreSQL, the log becomes a table of monthly partitions (`core/db/log-partitions.ts` creates them). Existing
 * rows stay where they are, in a partition for all times before the next month. The default partition takes rows of
 * months without a partition.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  if (trx.client.dialect !== 'postgresql') return
  const newest = (await trx('logs').max({ time: 'created_at' }).first())?.time
  await trx.raw('ALTER TABLE logs RENAME TO logs_past')
  // A unique index of the whole table would have to include the time. So each partition has its own indexes, and all
  // ids come from one sequence.
  await trx.raw('CREATE TABLE logs (LIKE logs_past INCLUDING DEFAULTS) PARTITION BY RANGE (created_at)')
  await trx.raw('ALTER SEQUENCE logs_id_seq OWNED BY logs.id')
  if (newest === null) {
    await trx.raw('ALTER TABLE logs_past RENAME TO logs_rest')
  } else {
    const last = new Date(Math.max(newest, Math.floor(Date.now() / 1000)) * 1000)
    const end = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1) / 1000
    await trx.raw(`ALTER TABLE logs ATTACH PARTITION logs_past FOR VALUES FROM (MINVALUE) TO (${end})`)
    await trx.raw('CREATE TABLE logs_rest (LIKE logs_past INCLUDING ALL)')
  }
  await trx.raw('ALTER TABLE logs ATTACH PARTITION logs_rest DEFAULT')
}
