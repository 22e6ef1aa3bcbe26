import type { RelayError } from '../dialect.ts'
import { isRetryPointless } from '../openai-error.ts'

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Returns an error in Anthropic's format. https://platform.claude.com/docs/en/api/errors */
export function messagesError(error: RelayError): { body: unknown; headers: Record<string, string> } {
  return {
    body: errorBody(error),
    headers: {
      'request-id': error.requestId,
      ...(isRetryPointless(error.code) && { 'x-should-retry': 'false' }),
    },
  }
}

/** Returns an error in Anthropic's format as the last event of a stream. */
export function anthropicErrorEvent(error: RelayError): string {
  return formatNamedEvent(errorBody(error))
}

function errorBody({ status, message, code, details = detailsOf(code), requestId }: RelayError) {
  const type = TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message, ...(details && { details }) }, request_id: requestId }
}

/**
 * Returns error details only for `thread_not_found`: Anthropic's clients send the whole thread again if they get these
 * details.
 */
function detailsOf(code: string | null): Readonly<Record<string, unknown>> | undefined {
  return code === 'thread_not_found' ? { error_code: code } : undefined
}

/** Formats an event. The event's name repeats its type, because Anthropic's clients require a name. */
export function formatNamedEvent(payload: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
}
