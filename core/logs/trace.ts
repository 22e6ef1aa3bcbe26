import { type Actor, ROLE } from '../actor.ts'
import { objectIn } from '../channels/settings/other-info.ts'
import type { Database } from '../db/database.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { recordOf } from '../records.ts'
import { applyFilter } from './filter.ts'
import { LOG_TYPE } from './log.ts'
import { recompute } from './receipt.ts'
import { LOG_ROW_COLUMNS, readChannelNames, type StoredLog, toLogs } from './rows.ts'
import type { RequestTrace } from './trace-schema.ts'

/** Maximum number of rows to read: the charge of a request, and the failures of its retries with an idempotency key. */
const ROWS_MAX = 10
const REQUEST_ID_MAX = 64

export function createTraces({ db }: { db: Database }) {
  return {
    /**
     * Returns the attempts, failure and receipt of one request. Common users see only their own requests, without
     * administrators' fields. With `memberId`, only requests with the keys of this team member are found. Throws
     * LOG_NOT_FOUND, also for the request of another user.
     */
    async trace(actor: Actor, requestId: string, scope: { memberId?: number } = {}): Promise<RequestTrace> {
      const rows = requestId.length <= REQUEST_ID_MAX ? await rowsOf(actor, requestId, scope) : []
      // If a retry with the same idempotency key was charged, earlier failures no longer count.
      const outcome = rows.find(({ type }) => type === LOG_TYPE.error || type === LOG_TYPE.consumption)
      const failure = outcome?.type === LOG_TYPE.error ? outcome : undefined
      const charge = rows.find(({ type }) => type === LOG_TYPE.consumption)
      if (!failure && !charge) {
        const request = requestId.slice(0, REQUEST_ID_MAX)
        throw new GatewayError('LOG_NOT_FOUND', { id: request, request })
      }
      return traceOf(requestId, { failure, charge, isAdmin: actor.role >= ROLE.admin })
    },
  }

  async function rowsOf(actor: Actor, requestId: string, scope: { memberId?: number }): Promise<StoredLog[]> {
    const owner = actor.role >= ROLE.admin ? {} : { userId: actor.id }
    // A row that counts several failures has the request id `until <request id of the last one>`.
    for (const request_id of [requestId, `until ${requestId}`]) {
      const rows: StoredLog[] = await db
        .reader('logs')
        .modify(applyFilter, { request_id, ...owner, ...scope })
        .orderBy([
          { column: 'logs.created_at', order: 'desc' },
          // Failures are stored later than charges of the same time.
          { column: 'logs.id', order: 'desc' },
        ])
        .limit(ROWS_MAX)
        .select(LOG_ROW_COLUMNS)
      if (rows.length > 0) return rows
    }
    return []
  }

  async function traceOf(
    requestId: string,
    { failure, charge, isAdmin }: { failure: StoredLog | undefined; charge: StoredLog | undefined; isAdmin: boolean },
  ): Promise<RequestTrace> {
    const row = requireRow(failure ?? charge)
    const failed = objectIn(failure?.other ?? null)
    const charged = objectIn(charge?.other ?? null)
    const { attempts, upstreamRequestId } = attemptsOf(failed, charged)
    const names = await readChannelNames(db, isAdmin ? [...new Set(attempts.map(({ channel }) => channel))] : [])
    const isIncomplete = charged.incomplete === true
    return {
      request_id: requestId,
      created_at: row.created_at,
      user_id: row.user_id,
      username: row.username,
      token_name: row.token_name,
      model_name: row.model_name,
      group: row.group,
      use_time: row.use_time,
      is_stream: Boolean(row.is_stream),
      outcome: failure ? 'failed' : isIncomplete ? 'incomplete' : 'complete',
      status: wholeOf(failed.status),
      code: textOf(failed.code),
      message: failure?.content ?? '',
      end_reason: textOf(charged.end_reason),
      first_token_ms: wholeOf(charged.frt) > 0 ? wholeOf(charged.frt) : -1,
      upstream_request_id: isAdmin ? upstreamRequestId : '',
      attempt_count: attempts.length,
      attempts: isAdmin
        ? attempts.map((attempt) => ({ ...attempt, channel_name: names.get(attempt.channel) ?? '' }))
        : [],
      suppressed: wholeOf(failed.suppressed),
      charged: charge?.quota ?? 0,
      ...(charge && (await receiptOf(charge, isAdmin))),
    }
  }

  /** Returns the receipt of a charge, or no receipt for a row without price fields, such as an imported row. */
  async function receiptOf(charge: StoredLog, isAdmin: boolean): Promise<Pick<RequestTrace, 'receipt'>> {
    const [log] = await toLogs(db, [charge], isAdmin)
    try {
      return { receipt: recompute(requireRow(log)) }
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'LOG_WITHOUT_RECEIPT') return {}
      throw error
    }
  }
}

type Attempt = Omit<RequestTrace['attempts'][number], 'channel_name'>

/** Returns the attempts in a request's rows. A failure's row has their details, a charge's row only channel ids. */
function attemptsOf(
  failed: Record<string, unknown>,
  charged: Record<string, unknown>,
): { attempts: Attempt[]; upstreamRequestId: string } {
  const admin = recordOf(failed.admin_info)
  const upstreamRequestId = textOf(admin.upstream_request_id)
  const tries = listOf(admin.tries).map(recordOf)
  if (tries.length > 0) {
    const attempts = tries.map((attempt) => ({
      channel: wholeOf(attempt.channel),
      ...(wholeOf(attempt.key) > 0 && { key_number: wholeOf(attempt.key) }),
      answered: false,
      status: wholeOf(attempt.status),
      code: textOf(attempt.code),
      ms: wholeOf(attempt.ms),
      message: textOf(attempt.message),
    }))
    return { attempts, upstreamRequestId }
  }
  const channels = listOf(recordOf(charged.admin_info).use_channel).map(Number).filter(Number.isInteger)
  const attempts = channels.map((channel, at) => {
    const answered = at === channels.length - 1
    return { channel, answered, status: 0, code: '', ms: -1, message: '' }
  })
  return { attempts, upstreamRequestId }
}

/* Rows of other programs may contain any JSON, so values of unexpected types become empty values. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const wholeOf = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
