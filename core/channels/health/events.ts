import type { Knex } from 'knex'
import type { Database } from '../../db/database.ts'
import { deleteSome } from '../../db/delete-some.ts'
import { inShortBatches } from '../../db/short-batches.ts'
import type { Evidence } from './evidence.ts'
import { legible } from './legible.ts'
import type { Scope } from './subjects.ts'

/** What happened to a channel: its circuits, its status, its keys. */
export type ChannelEventName = 'opened' | 'closed' | 'disabled' | 'enabled' | 'key-disabled' | 'key-enabled'

export interface NewChannelEvent {
  readonly channel_id: number
  readonly event: ChannelEventName
  readonly scope: Scope
  /** '' for the channel as a whole. */
  readonly subject?: string
  /** What the gateway had seen; for a change of status also who made it. */
  readonly class?: Evidence | 'manual' | 'automatic' | ''
  readonly reason?: string
  readonly node_id?: string
  /** Unix seconds. */
  readonly created_at: number
}

/** Newest events that are kept of each channel, and for how long. */
export const EVENTS_KEPT = 200
export const EVENTS_KEPT_S = 30 * 24 * 3600
const SUBJECT_LENGTH_MAX = 255
const REASON_LENGTH_MAX = 2000
const ROWS_PER_INSERT = 100

/** Adds to the histories of channels, in the transaction that makes the change. */
export async function recordChannelEvents(trx: Knex.Transaction, events: readonly NewChannelEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ subject = '', reason = '', ...event }) => ({
    node_id: '',
    class: '',
    ...event,
    subject: legible(subject).slice(0, SUBJECT_LENGTH_MAX),
    reason: legible(reason).slice(0, REASON_LENGTH_MAX),
  }))
  await trx.batchInsert('channel_events', rows, ROWS_PER_INSERT)
}

/**
 * Removes what is too old or too much, and what processes that are gone have left, in short transactions. `now` in unix seconds. Answers
 * how many rows.
 */
export async function trimHealth(db: Database, now: number): Promise<number> {
  const remove = (matching: (rows: Knex.QueryBuilder) => void) =>
    inShortBatches((rowsMax) =>
      db.transaction((trx) => deleteSome(trx, 'channel_events', { key: ['id'], matching, rowsMax })),
    )
  let removed = await remove((rows) => rows.where('created_at', '<', now - EVENTS_KEPT_S))
  const crowded: number[] = await db
    .reader('channel_events')
    .groupBy('channel_id')
    .havingRaw('count(*) > ?', [EVENTS_KEPT])
    .pluck('channel_id')
  for (const channel_id of crowded) {
    const newest = db.reader('channel_events').where({ channel_id }).orderBy('id', 'desc')
    const oldestKept = await newest.offset(EVENTS_KEPT - 1).first('id')
    if (oldestKept) removed += await remove((rows) => rows.where({ channel_id }).where('id', '<', oldestKept.id))
  }
  return (
    removed +
    (await db.transaction((trx) => trx('channel_circuits').whereNotIn('node_id', trx('nodes').select('id')).delete()))
  )
}
