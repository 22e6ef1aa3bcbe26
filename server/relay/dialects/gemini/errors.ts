import type { Json } from '../../json.ts'
import type { RelayError } from '../dialect.ts'

/** Google's names of HTTP statuses: https://cloud.google.com/apis/design/errors#handling_errors */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  524: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}

/** Type of the error detail with the retry delay: https://cloud.google.com/apis/design/errors#error_details */
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/** Returns an error in Google's format. For insufficient quota, the status is RESOURCE_EXHAUSTED. */
export function contentError({ status, message, code, retryAfterSeconds }: RelayError): Json {
  const lacksBalance = code === 'insufficient_quota' || /^insufficient_(user|token)_quota$/.test(code ?? '')
  const statusName = lacksBalance
    ? 'RESOURCE_EXHAUSTED'
    : (STATUS_NAMES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'))
  const details = retryAfterSeconds !== undefined && {
    details: [{ '@type': RETRY_INFO, retryDelay: `${retryAfterSeconds}s` }],
  }
  return { error: { code: status, message, status: statusName, ...details } }
}
