import type { RelayError } from '../dialect.ts'

/** Codes of https://platform.openai.com/docs/api-reference/responses/object#error that clients tell apart. */
const KNOWN = new Set(['server_error', 'rate_limit_exceeded', 'invalid_prompt', 'vector_store_timeout'])

/** The `error` of a response that failed. */
export function failureOf({ code, status, message }: RelayError): { code: string; message: string } {
  if (code !== null && KNOWN.has(code)) return { code, message }
  return { code: status === 429 ? 'rate_limit_exceeded' : 'server_error', message }
}

/** One event, named twice as this format has it. */
export function formatStep(type: string, sequence: number, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`
}

/** For a stream in which no response was announced. */
export function bareErrorEvent({ code, message, param }: RelayError): string {
  return formatStep('error', 0, { code, message, param })
}
