import type { IncomingHttpHeaders } from 'node:http'
import { type HeaderList, NO_HEADERS } from '../../header-list.ts'

const PREFIXES = ['x-ratelimit-', 'anthropic-ratelimit-'] as const
const PROCESSING = 'openai-processing-ms'
const NAME = /^[a-z-]{1,64}$/
/**
 * Numbers, durations (`6m0s`) and times. Other values are not forwarded, because they could contain the channel's key.
 */
const AMOUNT = /^\d[\d.,:;=+ TZdhmsuw-]{0,63}$/

/** Returns the upstream's headers that the client of a native reply gets: rate limits and processing time. */
export function passedHeaders(headers: IncomingHttpHeaders | undefined): HeaderList {
  let passed: string[] | undefined
  for (const name in headers) {
    // Fast path: few headers start with `x`, `a` or `o`.
    const first = name.charCodeAt(0)
    if (first !== 0x78 && first !== 0x61 && first !== 0x6f) continue
    const value = headers[name]
    const isPassed = name === PROCESSING || PREFIXES.some((prefix) => name.startsWith(prefix))
    if (typeof value !== 'string' || !isPassed) continue
    if (!NAME.test(name) || !AMOUNT.test(value)) continue
    passed ??= []
    passed.push(name, value)
  }
  return passed ?? NO_HEADERS
}
