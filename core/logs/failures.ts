import type { Knex } from 'knex'
import { objectIn } from '../channels/settings/other-info.ts'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText } from '../db/json.ts'
import { inShortBatches } from '../db/short-batches.ts'
import { toLogRow } from '../ledger/batch.ts'
import { textIn } from '../messages/texts.ts'
import { LOG_TYPE } from './log.ts'
import { RECORD_DELETION } from './totals.ts'

/** One failed attempt of a relay, for administrators. */
export interface FailedTry {
  /** Channel id. */
  channel: number
  /** The position of the key, starting at 1, if the channel has several keys. */
  key?: number
  /** HTTP status of the upstream, or 0 if there was none. */
  status: number
  /** Error code, or null if there was none. */
  code: string | null
  /** Duration of the attempt in milliseconds. */
  ms: number
  /** The upstream's message. */
  message: string
}

/** A failed relay, or several failed relays that one log row counts. */
export interface FailedRelay {
  /** Empty if the row counts several relays. */
  requestId: string
  userId: number
  /** Empty if the key was rejected before its user was loaded. `writeFailures` then adds name and group. */
  username: string
  tokenId: number
  tokenName: string
  modelName: string
  channelId: number
  group: string
  useTimeSeconds: number
  isStream: boolean
  /** Unix seconds. */
  at: number
  /** The error message that the client received. A row that counts several relays gets another text. */
  content: string
  status: number
  code: string | null
  /** The upstream's request id of the last attempt. */
  upstreamRequestId?: string | undefined
  tries: readonly FailedTry[]
  /** Number of failures that this row counts, because too many relays failed at once. */
  suppressed?: number
  /** Number of failed attempts of these failures by channel id. */
  suppressedAttempts?: ReadonlyMap<number, number> | undefined
  /** The request id of the last counted relay, only in a row that counts several. */
  lastRequestId?: string | undefined
}

/**
 * Writes log rows of failed relays, all or none. The rows change no quota. Skips existing rows, because an earlier call
 * may have written them and lost the reply to its COMMIT.
 */
export async function writeFailures(db: Database, failures: readonly FailedRelay[]): Promise<void> {
  await db.transaction(async (trx) => {
    const existingRows: { request_id: string; created_at: number }[] = await trx('failed_relays')
      .whereIn('request_id', failures.map(keyOf))
      .select('request_id', 'created_at')
    // Compare the times too. A retry with an idempotency key has the id of the first request, but fails later.
    const existingKeys = new Set(existingRows.map(({ request_id, created_at }) => `${request_id} ${created_at}`))
    const newFailures = failures.filter((failure) => !existingKeys.has(`${keyOf(failure)} ${failure.at}`))
    if (newFailures.length > 0) await insertFailures(trx, await withUsers(trx, newFailures))
  })
}

/** Adds the missing names and groups of users whose keys were rejected before the user was loaded. */
async function withUsers(trx: Knex.Transaction, failures: readonly FailedRelay[]): Promise<readonly FailedRelay[]> {
  const nameless = new Set(failures.filter(({ username }) => username === '').map(({ userId }) => userId))
  if (nameless.size === 0) return failures
  const users: { id: number; username: string; group: string }[] = await trx('users')
    .whereIn('id', [...nameless])
    .select('id', 'username', 'group')
  const byId = new Map(users.map((user) => [user.id, user]))
  return failures.map((failure) => {
    const user = failure.username === '' ? byId.get(failure.userId) : undefined
    return user ? { ...failure, username: user.username, group: failure.group || user.group } : failure
  })
}

/**
 * Returns the key of a row in `failed_relays`, which is the request id. If a row counts several relays, its key
 * contains the last request id, but differs from every request id.
 */
const keyOf = ({ requestId, lastRequestId = '' }: Pick<FailedRelay, 'requestId' | 'lastRequestId'>): string =>
  requestId || `until ${lastRequestId}`

/** The request ids in `other` of a failed relay's row. */
type StoredIds = { request_id: string; last_request_id?: string }

async function insertFailures(trx: Knex.Transaction, failures: readonly FailedRelay[]): Promise<void> {
  const rows = failures.map(
    ({ at, requestId, lastRequestId, status, code, tries, upstreamRequestId, suppressed, ...rest }) => {
      const { suppressedAttempts, ...relay } = rest
      const counted = suppressed === undefined ? undefined : { text: 'failures-counted' as const, count: suppressed }
      const other = JSON.stringify({
        ...(counted && { event: counted, suppressed, last_request_id: lastRequestId }),
        request_id: requestId,
        status,
        code,
        admin_info: {
          tries,
          ...(suppressedAttempts?.size && { suppressed_attempts: Object.fromEntries(suppressedAttempts) }),
          ...(upstreamRequestId && { upstream_request_id: upstreamRequestId }),
        },
      })
      const content = counted ? textIn('zh', `event.${counted.text}`, { count: counted.count }) : relay.content
      const charge = { ...relay, content, requestId, promptTokens: 0, completionTokens: 0, quota: 0, other }
      // The log's column `request_id` is only for charges.
      return { ...toLogRow(charge, at), type: LOG_TYPE.error, request_id: null }
    },
  )
  const insertedRows: { id: number; other: JsonText<StoredIds>; created_at: number }[] = await trx('logs')
    .insert(rows)
    .returning(['id', 'other', 'created_at'])
  const failed = insertedRows.map(({ id, other, created_at }) => {
    const { request_id: requestId, last_request_id: lastRequestId } = fromJson(other)
    return { log_id: id, request_id: keyOf({ requestId, lastRequestId }), created_at }
  })
  // Merge, because ids may be used again after a failover to a lagging replica.
  await trx('failed_relays').insert(failed).onConflict('log_id').merge()
}

/** Returns the request id in `other` of a failed relay's row. Empty if the row counts several relays. */
export function failedRequest(other: string): string {
  const { request_id: requestId } = objectIn(other)
  return typeof requestId === 'string' ? requestId : ''
}

/** Removes rows of failed relays older than `before` (Unix seconds), in short transactions. Returns their number. */
export function removeFailures(db: Database, before: number): Promise<number> {
  return inShortBatches((rowsMax) =>
    db.transaction(async (trx) => {
      const ids: number[] = await trx('failed_relays')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(rowsMax)
        .pluck('log_id')
      if (ids.length === 0) return 0
      // Check the type, because an id that was used again may belong to a charge.
      await trx('logs').whereIn('id', ids).where({ type: LOG_TYPE.error }).delete()
      await trx('failed_relays').whereIn('log_id', ids).delete()
      await trx.raw(RECORD_DELETION)
      return ids.length
    }),
  )
}
