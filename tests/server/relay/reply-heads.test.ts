import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { Counter } from '../../../core/limits/counter.ts'
import type { CountedLimit } from '../../../core/limits/limit.ts'
import { exposeToAnyOrigin } from '../../../server/cors.ts'
import { sendError } from '../../../server/relay/delivery/error.ts'
import { writeReplyHead } from '../../../server/relay/delivery/reply-head.ts'
import type { RelayError } from '../../../server/relay/dialects/dialect.ts'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import { limitHeaders } from '../../../server/relay/limits/limit-headers.ts'
import { markTls } from '../../../server/security-headers.ts'

const LIMIT: CountedLimit = {
  id: 1,
  subject: 'user',
  subject_id: '*',
  measure: 'requests',
  period: 'minute',
  time_zone: '',
  amount: 10,
  action: 'reject',
  wait_seconds: 0,
}
const COUNTERS = [new Counter(LIMIT, '1'), new Counter({ ...LIMIT, measure: 'tokens' }, '1')]
const ERROR: RelayError = { status: 429, message: 'm', type: 't', param: null, code: null, requestId: 'id-1' }
const ERRORS: Partial<RelayError>[] = [
  { code: 'rate_limit_exceeded', retryAfterSeconds: 5 },
  { code: 'rate_limit_exceeded', retryAfterSeconds: 100_000 },
  { status: 401, code: 'invalid_api_key' },
  { status: 403, code: 'insufficient_user_quota', retryAfterSeconds: 100_000 },
  { status: 408, code: 'body_too_slow' },
  { status: 501, code: 'insufficient_user_quota' },
  { status: 501, code: 'api_not_implemented' },
]

let reply: (response: ServerResponse) => void = () => {}
const server = createServer((_, response) => reply(response)).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => void server.close())

/** The names of a reply's headers, with repetitions. */
async function namesOf(write: typeof reply): Promise<string[]> {
  reply = write
  const sent = request({ port: (server.address() as AddressInfo).port, agent: false }).end()
  const [{ rawHeaders }] = await once(sent, 'response')
  return (rawHeaders as string[]).flatMap((name, at) => (at % 2 ? [] : [name.toLowerCase()]))
}

/** What earlier stages may have set. */
const earlier: Record<string, (response: ServerResponse) => void> = {
  nothing: () => {},
  'headers for a browser': (response) => exposeToAnyOrigin({ origin: 'https://example.org' }, response),
  'headers of the same names': (response) => {
    response.setHeader('request-id', 'id-1')
    response.setHeader('x-ratelimit-limit-requests', '1')
    response.setHeader('cache-control', 'no-store')
    response.setHeader('connection', 'close')
    markTls(response)
  },
}

test.each(Object.keys(earlier))('each header of an error is sent once, after %s', async (name) => {
  for (const dialect of Object.keys(DIALECTS) as DialectName[]) {
    const headers = limitHeaders(COUNTERS, { dialect, clock: { nowMs: Date.now() } })
    for (const part of ERRORS) {
      const names = await namesOf((response) => {
        earlier[name]?.(response)
        sendError(response, { ...ERROR, ...part, headers }, DIALECTS[dialect])
      })
      expect([dialect, part, names.filter((one, at) => names.indexOf(one) !== at)]).toEqual([dialect, part, []])
      expect(names).toEqual(expect.arrayContaining(['x-request-id', 'x-ratelimit-reset-tokens', 'content-length']))
    }
  }
})

test.each(Object.keys(earlier))('each header of a download is sent once, after %s', async (name) => {
  const names = await namesOf((response) => {
    earlier[name]?.(response)
    const headers = ['cache-control', 'no-cache', 'x-ratelimit-limit-requests', '2']
    writeReplyHead(response, { status: 408, operation: 'chat', contentType: 'text/html', requestId: 'id-1', headers })
    response.end()
  })

  expect(names).toEqual([...new Set(names)])
  expect(names).toEqual(expect.arrayContaining(['content-disposition', 'content-security-policy', 'connection']))
})
