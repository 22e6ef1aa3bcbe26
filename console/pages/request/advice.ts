import type { TFunction } from 'i18next'
import type { RequestTrace } from '../../api/traces.ts'

/** The subject of each error code. Each subject has advice for administrators and advice for users. */
const SUBJECT_OF: Readonly<Record<string, Subject>> = {
  insufficient_user_quota: 'balance',
  insufficient_token_quota: 'budget',
  token_exhausted: 'budget',
  invalid_api_key: 'key',
  token_disabled: 'key',
  token_expired: 'key',
  token_ip: 'limits',
  token_model: 'limits',
  token_group: 'group',
  group_retired: 'group',
  model_not_found: 'model',
  no_channel: 'model',
  model_price_error: 'price',
  no_available_channel: 'channels',
  upstream_saturated: 'saturated',
  client_gone: 'client',
  request_malformed: 'body',
  sensitive_words_detected: 'words',
}
const SUBJECTS = [
  'balance',
  'budget',
  'key',
  'limits',
  'group',
  'model',
  'price',
  'channels',
  'saturated',
  'client',
  'body',
  'words',
  'account',
  'upstream',
] as const
type Subject = (typeof SUBJECTS)[number]

/** Returns advice about a failure; undefined if the request did not fail, or if its code is unknown and no channel was tried. */
export function advice(
  t: TFunction,
  { outcome, code, status, attempts, attempt_count }: RequestTrace,
  forAdmin: boolean,
): string | undefined {
  if (outcome !== 'failed') return undefined
  const lastAttempt = attempts.at(-1)
  const subject = SUBJECT_OF[code] ?? (attempt_count > 0 ? upstreamSubject(lastAttempt?.status ?? status) : undefined)
  return subject && t(`request.advice.${forAdmin ? 'admin' : 'user'}.${subject}`)
}

/** Returns the subject of an upstream's status: the channel's account, its rate limit, the request, or the upstream itself. */
function upstreamSubject(status: number): Subject {
  if (status === 401 || status === 403) return 'account'
  if (status === 429) return 'saturated'
  if (status >= 400 && status < 500) return 'body'
  return 'upstream'
}
