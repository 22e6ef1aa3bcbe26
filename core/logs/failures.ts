import { objectIn } from '../channels/other-info.ts'
import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import { toLogRow } from '../ledger/batch.ts'
import { LOG_TYPE } from './log.ts'
import { RECORD_DELETION } from './totals.ts'

/** One attempt of a failed relay, for administrators. */
export interface FailedTry {
  channel: number
  /** Which of the channel's several keys, from 1; absent if it has one. */
  key?: number
  status: number
  code: string | null
  /** Milliseconds. */
  ms: number
  /** What the upstream said. */
  message: string
}

/** A relay that ended without a whole reply. `requestId` is empty for a row that stands for several. */
export interface FailedRelay {
  requestId: string
  userId: number
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
  /** What the client was told. */
  content: string
  status: number
  code: string | null
  /** The upstream's own id of the last attempt. */
  upstreamRequestId?: string | undefined
  tries: readonly FailedTry[]
  /** Failures that this row stands for: they came too fast to be written one by one. */
  suppressed?: number
}

/** Writes rows of failed relays, all or none. They move no quota. */
export async function writeFailures(db: Database, failures: readonly FailedRelay[]): Promise<void> {
  const rows = failures.map(({ at, requestId, status, code, tries, upstreamRequestId, suppressed, ...relay }) => {
    const other = JSON.stringify({
      request_id: requestId,
      status,
      code,
      ...(suppressed !== undefined && { suppressed }),
      admin_info: { tries, ...(upstreamRequestId && { upstream_request_id: upstreamRequestId }) },
    })
    const charge = { ...relay, requestId, promptTokens: 0, completionTokens: 0, quota: 0, other }
    // The column of the id is for charges.
    return { ...toLogRow(charge, at), type: LOG_TYPE.error, request_id: null }
  })
  await db.transaction(async (trx) => {
    const written: { id: number; other: string; created_at: number }[] = await trx('logs')
      .insert(rows)
      .returning(['id', 'other', 'created_at'])
    const failed = written.map(({ id, other, created_at }) => ({
      log_id: id,
      request_id: failedRequest(other),
      created_at,
    }))
    await trx('failed_relays').insert(failed)
  })
}

/** The request of a row of a failed relay; empty for one that stands for several. */
export function failedRequest(other: string): string {
  const { request_id: requestId } = objectIn(other)
  return typeof requestId === 'string' ? requestId : ''
}

/** Removes rows of failed relays from before a time (unix seconds), in short transactions. Returns how many. */
export function removeFailures(db: Database, before: number): Promise<number> {
  return inShortBatches((rowsMax) =>
    db.transaction(async (trx) => {
      const ids: number[] = await trx('failed_relays')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(rowsMax)
        .pluck('log_id')
      if (ids.length === 0) return 0
      await trx('logs').whereIn('id', ids).delete()
      await trx('failed_relays').whereIn('log_id', ids).delete()
      await trx.raw(RECORD_DELETION)
      return ids.length
    }),
  )
}
