import { GatewayError } from '../../../../core/errors.ts'
import type { Language } from '../../../../core/messages/language.ts'
import { errorForClient, failureError } from '../../delivery/error.ts'
import type { Failure } from '../../providers/provider.ts'

/** An error reply below /suno, with its HTTP status. */
export interface SunoError {
  status: number
  body: { code: string; message: string; data: null }
  retryAfterSeconds?: number | undefined
}

/** Error codes by documented reason. */
const REASONS = {
  prompt_empty: 'invalid_request',
  invalid_action: 'invalid_request',
  'task id is empty': 'invalid_request',
  task_not_exist: 'task_not_exist',
  task_origin_not_exist: 'task_not_exist',
  channel_not_found: 'channel_not_found',
  task_channel_disable: 'task_channel_disable',
} as const

/** Returns an error with a documented reason. */
export function musicError(reason: keyof typeof REASONS): GatewayError {
  return new GatewayError('MUSIC_REFUSED', { reason, code: REASONS[reason] })
}

/** Returns an error for an invalid request, with a reason that is not in the documented API. */
export function invalidMusicRequest(reason: string): GatewayError {
  return new GatewayError('MUSIC_REFUSED', { reason, code: 'invalid_request' })
}

/** Converts any error to Suno's format. */
export function sunoRefusal(error: unknown, context: { requestId: string; language: Language }): SunoError {
  if (error instanceof GatewayError) {
    if (error.code === 'MUSIC_REFUSED') return sunoError(400, String(error.params.code), String(error.params.reason))
    if (error.code === 'INSUFFICIENT_QUOTA') return sunoError(403, 'quota_not_enough', 'user quota is not enough')
    if (error.code === 'REQUEST_MALFORMED') {
      return sunoError(400, 'invalid_request', errorForClient(error, context).message)
    }
  }
  const { status, code, message, retryAfterSeconds } = errorForClient(error, context)
  return { ...sunoError(status, code ?? 'internal_error', message), retryAfterSeconds }
}

/** Converts an upstream's failure to Suno's format. `code` replaces the failure's own code. */
export function sunoFailure(
  failure: Failure,
  { code: replacementCode, ...context }: { requestId: string; language: Language; code?: string | undefined },
): SunoError {
  const { status, message, code: failureCode, retryAfterSeconds } = failureError(failure, context)
  return { ...sunoError(status, replacementCode ?? failureCode ?? 'upstream_error', message), retryAfterSeconds }
}

function sunoError(status: number, code: string, message: string): SunoError {
  return { status, body: { code, message, data: null } }
}
