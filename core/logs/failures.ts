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
      status,
      code,
      ...(suppressed !== undefined && { suppressed }),
      admin_info: { tries, ...(upstreamRequestId && { upstream_request_id: upstreamRequestId }) },
    })
    const charge = { ...relay, requestId, promptTokens: 0, completionTokens: 0, quota: 0, other }
    const { request_id: _, ...row } = toLogRow(charge, at)
    return { ...row, type: LOG_TYPE.error, request_id: null, failed_request_id: requestId }
  })
  await db.transaction((trx) => trx('logs').insert(rows))
}

/** Removes rows of failed relays from before a time (unix seconds), in short transactions. Returns how many. */
export function removeFailures(db: Database, before: number): Promise<number> {
  return inShortBatches((rowsMax) =>
    db.transaction(async (trx) => {
      const ids = trx('logs')
        .whereNotNull('failed_request_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(rowsMax)
        .select('id')
      const removed = await trx('logs').whereIn('id', ids).delete()
      if (removed > 0) await trx.raw(RECORD_DELETION)
      return removed
    }),
  )
}
