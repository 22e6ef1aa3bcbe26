import { randomBytes } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { leastCpuMs } from '../support/cpu.ts'
import { customer, openTestGateway } from '../support/gateway.ts'
import { shared } from '../support/lifetime.ts'

/*
 * Small bodies that decompress to hundreds of megabytes, to routes with and without a credential. Each must have its reply at
 * once: a connection that waits for minutes is a connection that others do not get.
 */

const fixture = shared(() => openTestGateway())
const REPLY_MS_MAX = 5000
const HUGE = Buffer.alloc(100_000_000, ' ')
const PACK: Record<string, (body: Buffer) => Buffer> = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const pack = (encoding: string, body: Buffer): Buffer => PACK[encoding]?.(body) ?? body
const BOMBS = new Map(Object.keys(PACK).map((encoding) => [encoding, pack(encoding, HUGE)]))
const PATHS = ['/api/user/login', '/api/user/register', '/v1/chat/completions']

async function send(path: string, encoding: string, body: Buffer, headers: Record<string, string> = {}) {
  const reply = await fetch(fixture().url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding, ...headers },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(REPLY_MS_MAX),
  })
  return { status: reply.status, text: await reply.text(), error: reply.headers.get('tollgate-error') ?? '' }
}

const CASES = Object.keys(PACK).flatMap((encoding) => PATHS.map((path) => [encoding, path] as const))

test.each(CASES)('a decompression bomb in %s to %s is rejected immediately', async (encoding, path) => {
  const { key } = await customer(fixture())
  const sender = path.startsWith('/v1/') ? { authorization: `Bearer ${key}` } : {}

  const { status, text, error } = await send(path, encoding, BOMBS.get(encoding) as Buffer, sender)

  if (path.startsWith('/v1/')) expect([status, text]).toEqual([413, expect.stringContaining('request_too_large')])
  else expect([status, error]).toEqual([200, expect.stringContaining('REQUEST_TOO_LARGE')])
})

const TEXT_BYTES = 15_000_000
const UNPACK: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}
/** Beside reading the same text when it is sent as it is, to a model that does not exist. */
const SHARE_OF_READING_MAX = 0.3

test.each(Object.keys(PACK))('one long text in %s is rejected before all of it is decompressed', async (encoding) => {
  const { key } = await customer(fixture())
  const messages = [{ role: 'user', content: 'a'.repeat(TEXT_BYTES) }]
  const body = pack(encoding, Buffer.from(JSON.stringify({ model: 'no-such-model', messages })))
  const sender = { authorization: `Bearer ${key}` }

  const rejection = await leastCpuMs(async () => {
    const { status, text } = await send('/v1/chat/completions', encoding, body, sender)
    expect([status, text]).toEqual([413, expect.stringContaining('request_too_large')])
  })
  const reading = await leastCpuMs(async () => {
    const { status } = await send('/v1/chat/completions', 'identity', UNPACK[encoding]?.(body) as Buffer, sender)
    expect(status).toBe(404)
  })

  expect(rejection).toBeLessThan(reading * SHARE_OF_READING_MAX)
})

test.each(Object.keys(PACK))('a large body in %s with ordinary repetitions is read', async (encoding) => {
  const { key } = await customer(fixture())
  const content = Array.from({ length: 60_000 }, (_, at) => `${at}: the quick brown fox jumps over it `).join('')
  const body = pack(
    encoding,
    Buffer.from(JSON.stringify({ model: 'no-such-model', messages: [{ role: 'user', content }] })),
  )

  const { status, text } = await send('/v1/chat/completions', encoding, body, { authorization: `Bearer ${key}` })

  expect([status, text]).toEqual([404, expect.stringContaining('model_not_found')])
})

test.each(CASES)('a truncated body in %s to %s is a client error', async (encoding, path) => {
  const { key } = await customer(fixture())
  const whole = pack(
    encoding,
    Buffer.from(JSON.stringify({ model: 'gpt-4o', input: randomBytes(500).toString('hex') })),
  )
  const cut = whole.subarray(0, whole.length / 2)

  const { status, text, error } = await send(path, encoding, cut, { authorization: `Bearer ${key}` })

  if (path.startsWith('/v1/')) expect([status, text]).toEqual([400, expect.stringContaining('cannot be decompressed')])
  else expect([status, error]).toEqual([200, expect.stringContaining('REQUEST_MALFORMED')])
})

test.each(Object.keys(PACK))('the management API reads bodies in %s', async (encoding) => {
  const credentials = Buffer.from(JSON.stringify({ username: 'no-such-user', password: 'some-password-1' }))

  const { error } = await send('/api/user/login', encoding, pack(encoding, credentials))

  expect(error).toContain('CREDENTIALS_WRONG')
})

test.each(Object.keys(PACK))(
  'a small balance gets no large body in %s decompressed, but any body sent as it is',
  async (encoding) => {
    const { key } = await customer(fixture(), { user: { quota: 100 } })
    const sender = { authorization: `Bearer ${key}` }
    const chat = (bytes: number) =>
      Buffer.from(
        JSON.stringify({
          model: 'no-such-model',
          messages: [{ role: 'user', content: randomBytes(bytes).toString('hex') }],
        }),
      )
    const [large, small] = [chat(20_000), chat(200)]

    const packed = await send('/v1/chat/completions', encoding, pack(encoding, large), sender)
    const unpacked = await send('/v1/chat/completions', 'identity', large, sender)
    const little = await send('/v1/chat/completions', encoding, pack(encoding, small), sender)

    expect([packed.status, packed.text]).toEqual([403, expect.stringContaining('insufficient_user_quota')])
    expect([unpacked.status, little.status]).toEqual([404, 404])
  },
)
