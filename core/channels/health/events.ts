import type { Knex } from 'knex'
import type { Database } from '../../db/database.ts'
import { deleteSome } from '../../db/delete-some.ts'
import { inShortBatches } from '../../db/short-batches.ts'
import { recordChannelNotices } from '../../notices/channel-notices.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import type { FailureSignal } from './classify-failure.ts'
import { sanitizeText } from './sanitize-text.ts'
import type { CircuitScope } from './subjects.ts'

/** Events of a channel: its circuits, status and keys. */
type ChannelEventName = 'opened' | 'closed' | 'disabled' | 'enabled' | 'key-disabled' | 'key-enabled'

export interface NewChannelEvent {
  readonly channel_id: number
  readonly event: ChannelEventName
  readonly scope: CircuitScope
  /** Model, digest of a key, or both; '' for the channel as a whole. */
  readonly subject?: string
  /** For a circuit, the cause of its change. For a status, `manual` or `automatic`. */
  readonly class?: FailureSignal | 'manual' | 'automatic' | ''
  readonly reason?: string
  readonly node_id?: string
  /** Unix seconds. */
  readonly created_at: number
}

/** Maximum number of events per channel, and their maximum age in seconds. */
export const EVENTS_KEPT = 200
export const EVENTS_KEPT_S = 30 * 24 * 3600
export const SUBJECT_LENGTH_MAX = 255
const REASON_LENGTH_MAX = 2000
const ROWS_PER_INSERT = 100

/** Adds events to the histories of channels, and notices to the outbox, in the transaction of the change. */
export async function recordChannelEvents(trx: Knex.Transaction, events: readonly NewChannelEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ subject = '', reason = '', ...event }) => ({
    node_id: '',
    class: '',
    ...event,
    subject: sanitizeText(subject).slice(0, SUBJECT_LENGTH_MAX),
    reason: sanitizeText(reason).slice(0, REASON_LENGTH_MAX),
  }))
  await trx.batchInsert('channel_events', rows, ROWS_PER_INSERT)
  await recordChannelNotices(trx, events)
}

/** Records new statuses of channels in their histories, in the transaction of the change. `now` is in Unix seconds. */
export async function recordStatusChange(
  trx: Knex.Transaction,
  ids: readonly number[],
  {
    status,
    now,
    reason = '',
    class: by = 'manual',
  }: { status: number; now: number; reason?: string; class?: 'manual' | 'automatic' },
): Promise<void> {
  const event = status === CHANNEL_STATUS.enabled ? 'enabled' : 'disabled'
  await recordChannelEvents(
    trx,
    ids.map((channel_id) => ({ channel_id, event, scope: 'channel', class: by, reason, created_at: now })),
  )
}

/** Removes old and excess events, and circuits of dead processes, in short transactions. Returns the number of rows. */
export async function trimHealth(db: Database, now: number): Promise<number> {
  const remove = (matching: (rows: Knex.QueryBuilder) => void) =>
    inShortBatches((rowsMax) =>
      db.transaction((trx) => deleteSome(trx, 'channel_events', { key: ['id'], matching, rowsMax })),
    )
  let removed = await remove((rows) => rows.where('created_at', '<', now - EVENTS_KEPT_S))
  const fullChannels: number[] = await db
    .reader('channel_events')
    .groupBy('channel_id')
    .havingRaw('count(*) > ?', [EVENTS_KEPT])
    .pluck('channel_id')
  for (const channel_id of fullChannels) {
    const newest = db.reader('channel_events').where({ channel_id }).orderBy('id', 'desc')
    const oldestToKeep = await newest.offset(EVENTS_KEPT - 1).first('id')
    if (oldestToKeep) removed += await remove((rows) => rows.where({ channel_id }).where('id', '<', oldestToKeep.id))
  }
  return (
    removed +
    (await db.transaction((trx) => trx('channel_circuits').whereNotIn('node_id', trx('nodes').select('id')).delete()))
  )
}
