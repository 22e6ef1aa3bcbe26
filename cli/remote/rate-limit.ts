import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import { CommandError } from '../errors.ts'

/** Wait in seconds for rate limits without a readable Retry-After. */
const WAIT_DEFAULT_S = 30

/** Error codes of calls that the gateway did not execute. The client may repeat these calls later. */
const NOT_EXECUTED: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'BODIES_LIMITED', 'BODIES_FULL'])

/** Error for status 429 without the gateway's error header. Usually, a proxy has sent this reply. */
export class ServerBusy extends CommandError {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super('SERVER_BUSY', message)
  }
}

/**
 * Returns the wait in seconds from Retry-After (seconds or an HTTP date), or the default if the header is missing or
 * unreadable.
 */
export function retryAfterSecondsIn(headers: Headers, now = Date.now()): number {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? WAIT_DEFAULT_S : Math.max(0, Math.ceil((date - now) / 1000))
}

/**
 * Returns the seconds to wait before a retry if the server did not execute the call. Such a call may be repeated, even
 * if it is a write. Returns undefined for other errors.
 */
export function secondsToWait(error: unknown): number | undefined {
  if (error instanceof ServerBusy) return Math.max(1, error.retryAfterSeconds)
  if (!(error instanceof GatewayError && NOT_EXECUTED.has(error.code))) return undefined
  const { retryAfterSeconds, seconds } = error.params
  return Math.max(1, Number(retryAfterSeconds ?? seconds ?? WAIT_DEFAULT_S))
}
