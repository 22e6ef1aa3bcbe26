import { expect, test } from 'vitest'
import { ask } from '../../support/chat.ts'
import { MODEL, openTestRelay } from '../../support/gateway.ts'
import { completion, event, say, sendJson, startStream, stopChunk, usage } from '../../support/hand-made-upstream.ts'

/** What an upstream says of its own connection and of the gateway's account with it. */
const THEIRS = {
  'retry-after': '77',
  'x-ratelimit-remaining-requests': '3',
  'content-encoding': 'identity',
  'set-cookie': 'a=b',
  'openai-organization': 'org-of-the-channel',
}

test("upstream headers are not forwarded, and the gateway's own describe the reply", async () => {
  const fixture = await openTestRelay((exchange) => {
    const { body } = exchange
    if (body.temperature === 2) return sendJson(exchange, { error: { message: 'slow down' } }, 429, THEIRS)
    if (!body.stream) return sendJson(exchange, completion('hi', usage(1, 1)), 200, THEIRS)
    startStream(exchange)
    return exchange.response.end(`${event(say('hi'))}${event(stopChunk())}data: [DONE]\n\n`)
  })

  const whole = await fixture.chat(ask(MODEL))
  const stream = await fixture.chat(ask(MODEL, { stream: true }), { headers: { 'accept-encoding': 'gzip, br' } })
  const refused = await fixture.chat(ask(MODEL, { temperature: 2 }))

  for (const { headers } of [refused, whole, stream]) {
    // How long to wait, and what is left, is what a client must know too.
    const limits = headers === whole.headers ? { 'x-ratelimit-remaining-requests': '3' } : {}
    const kept = headers === refused.headers ? { 'retry-after': '77' } : limits
    for (const name of Object.keys(THEIRS))
      expect([name, headers.get(name)]).toEqual([name, kept[name as never] ?? null])
  }
  expect(refused.status).toBe(429)
  expect(whole.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)))
  expect(stream.headers.get('x-accel-buffering')).toBe('no')
  expect(stream.headers.get('cache-control')).toContain('no-cache')
  for (const { headers, raw } of fixture.upstream.seen) {
    expect(headers['accept-encoding'] ?? 'identity').toBe('identity')
    expect(headers['content-length'] ?? String(raw.length)).toBe(String(raw.length))
  }
})
