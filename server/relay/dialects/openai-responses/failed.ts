import type { RelayError } from '../dialect.ts'

/** Codes that clients distinguish: https://platform.openai.com/docs/api-reference/responses/object#error */
const KNOWN = new Set(['server_error', 'rate_limit_exceeded', 'invalid_prompt', 'vector_store_timeout'])

/** Returns the `error` of a failed response. */
export function failureOf({ code, status, message }: RelayError): { code: string; message: string } {
  if (code !== null && KNOWN.has(code)) return { code, message }
  return { code: status === 429 ? 'rate_limit_exceeded' : 'server_error', message }
}

/** Formats an event, whose type this format also repeats in the data. */
export function formatWireEvent(type: string, sequence: number, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`
}

/** The error of a stream without a `response.created`. */
export function bareErrorEvent({ code, message, param }: RelayError): string {
  return formatWireEvent('error', 0, { code, message, param })
}
