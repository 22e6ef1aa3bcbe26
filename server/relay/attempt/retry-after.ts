import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns the time in ms that an upstream asks clients to wait before a retry, or undefined. Reads `retry-after-ms` of
 * OpenAI and Azure, `retryDelay` in the error body of a Google API, and `retry-after`:
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after. `now` is in milliseconds since the epoch.
 */
export function retryAfter(headers: IncomingHttpHeaders, body: string, now: number): number | undefined {
  const milliseconds = numberIn(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const after = headers['retry-after']
  const seconds = numberIn(after) ?? numberIn(/"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1])
  if (seconds !== undefined) return seconds * 1000
  const date = after && /[a-z]/i.test(after) ? Date.parse(after) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function numberIn(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
