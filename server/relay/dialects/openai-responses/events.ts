import type { RelayError } from '../dialect.ts'

/** Error codes that clients handle specially: https://platform.openai.com/docs/api-reference/responses/object#error */
const CLIENT_ERROR_CODES = new Set(['server_error', 'rate_limit_exceeded', 'invalid_prompt', 'vector_store_timeout'])

export function responseErrorOf({ code, status, message }: RelayError): { code: string; message: string } {
  if (code !== null && CLIENT_ERROR_CODES.has(code)) return { code, message }
  return { code: status === 429 ? 'rate_limit_exceeded' : 'server_error', message }
}

/** Formats a server-sent event of the Responses API. The event's data repeats the type. */
export function formatWireEvent(type: string, sequence: number, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`
}

/** Returns the `error` event of a stream that fails before `response.created`. */
export function bareErrorEvent({ code, message, param }: RelayError): string {
  return formatWireEvent('error', 0, { code, message, param })
}
