import { objectIn } from '../core/channels/settings/other-info.ts'
import type { FailedTry } from '../core/logs/failures.ts'
import type { Log } from '../core/logs/log.ts'
import type { Texts } from './texts.ts'

/** Summarizes the log rows of one request: user, tried channels, failure and cost. `row` is one of these rows. */
export function traceOf(row: Log, { failure, charge }: { failure: Log | undefined; charge: Log | undefined }) {
  const failureDetails = objectIn(failure?.other ?? '')
  const chargeDetails = objectIn(charge?.other ?? '')
  const admin = (failureDetails.admin_info ?? {}) as { tries?: FailedTry[]; upstream_request_id?: string }
  const served = (chargeDetails.admin_info ?? {}) as { use_channel?: string[] }
  return {
    request_id: row.request_id,
    created_at: row.created_at,
    username: row.username,
    token_name: row.token_name,
    model_name: row.model_name,
    group: row.group,
    use_time: row.use_time,
    is_stream: row.is_stream,
    outcome: failure ? ('failed' as const) : ('complete' as const),
    ...(failure && { status: failureDetails.status, code: failureDetails.code, message: failure.content }),
    ...(admin.upstream_request_id !== undefined && { upstream_request_id: admin.upstream_request_id }),
    tries: admin.tries ?? [],
    channels: served.use_channel ?? [],
    ...(charge && { charge: { log_id: charge.id, quota: charge.quota, content: charge.content } }),
  }
}

/** Returns the text of one attempt: channel, key, status, error code, duration and message. */
export function attemptText({ t }: Pick<Texts, 't'>, attempt: FailedTry): string {
  const { channel, ms, message } = attempt
  const key = attempt.key === undefined ? '' : t('log.key', { key: attempt.key })
  const result = [attempt.status || '', attempt.code ?? ''].filter(String).join(' ')
  return t('log.channelAfterMs', { channel, key, result, ms, message })
}
