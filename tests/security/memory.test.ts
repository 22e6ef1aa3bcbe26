import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ask, post } from '../support/chat.ts'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { whenDone } from '../support/lifetime.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const MB = 1024 * 1024
const CONNECTIONS = 60
/** What an attack may add to the memory of the process. Without limits it added 677 MB. */
const ADDED_MAX = 64 * MB

async function open() {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const rich = await customer(fixture, { user: { quota: 1e9 } })
  const poor = await customer(fixture, { user: { quota: 0 } })
  const server = await startServer(fixture)
  // What the first requests load, and what the first garbage takes, is not what an attack adds.
  const large = ask(MODEL, { messages: [{ role: 'user', content: 'x'.repeat(MB) }] })
  for (let turn = 0; turn < 20; turn++) {
    expect((await post({ url: server.url, key: rich.key, body: turn ? large : ask(MODEL) })).status).toBe(200)
  }
  return { server, rich, poor }
}

/** A request that stops in the middle of its body. */
async function begin(server: ServerProcess, head: string, body: Buffer): Promise<{ socket: Socket; reply(): string }> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  whenDone(async () => void socket.destroy())
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => {})
  socket.write(`${head}\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`)
  socket.write(body.length ? '\r\n' : 'content-length: 1000000\r\n\r\n')
  if (body.length) socket.write(body)
  return { socket, reply: () => text }
}

const memoryOf = async ({ pid }: ServerProcess): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** The most that so many half-sent requests add, and what is left of it when they have gone. */
async function attack(server: ServerProcess, head: string, body: Buffer): Promise<{ added: number; kept: number }> {
  const before = await memoryOf(server)
  const begun = []
  for (let number = 0; number < CONNECTIONS; number++) begun.push(await begin(server, head, body))
  let most = before
  for (let look = 0; look < 20; look++) {
    await sleep(100)
    most = Math.max(most, await memoryOf(server))
  }
  for (const { socket } of begun) socket.destroy()
  await sleep(500)
  return { added: most - before, kept: (await memoryOf(server)) - before }
}

const HEAD = 'POST /v1/chat/completions HTTP/1.1'
const GZIP = `${HEAD}\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked`

/** A gzip body of 15 MB of JSON, without its end, as one chunk of a chunked body that goes on. */
function halfGzip(): Buffer {
  const packed = gzipSync(
    Buffer.from(`{"model":"${MODEL}","messages":[{"role":"user","content":"${'x'.repeat(15 * MB)}`),
  )
  const half = packed.subarray(0, packed.length - 20)
  return Buffer.concat([Buffer.from(`${half.length.toString(16)}\r\n`), half, Buffer.from('\r\n')])
}

/** The first 15 MB of a body that says it has 16. */
const halfPlain = () => Buffer.alloc(15 * MB, 'x')
const PLAIN = `content-length: ${16 * MB - 1}`

test.runIf(process.platform === 'linux')('half-sent bodies do not exhaust memory', { timeout: 120_000 }, async () => {
  const { server, rich, poor } = await open()
  const attacks: Record<string, [head: string, body: Buffer]> = {
    'gzip, without a key': [GZIP, halfGzip()],
    'gzip, with an unknown key': [`${GZIP}\r\nauthorization: Bearer sk-unknown`, halfGzip()],
    'gzip, with an empty balance': [`${GZIP}\r\nauthorization: Bearer ${poor.key}`, halfGzip()],
    'gzip, with a balance': [`${GZIP}\r\nauthorization: Bearer ${rich.key}`, halfGzip()],
    'plain, with a balance': [`${HEAD}\r\n${PLAIN}\r\nauthorization: Bearer ${rich.key}`, halfPlain()],
    'a path that does not exist': [`POST /nothing HTTP/1.1\r\n${PLAIN}`, halfPlain()],
    'a sign-in': [`POST /api/user/login HTTP/1.1\r\n${PLAIN}`, halfPlain()],
    'a drawing, with an empty balance': [
      `POST /mj/submit/imagine HTTP/1.1\r\n${PLAIN}\r\nauthorization: Bearer ${poor.key}`,
      halfPlain(),
    ],
  }

  const seen: Record<string, { added: number; kept: number }> = {}
  for (const [name, [head, body]] of Object.entries(attacks)) seen[name] = await attack(server, head, body)

  const table = Object.entries(seen).map(([name, { added, kept }]) => `  ${name}: +${mb(added)}, kept ${mb(kept)}`)
  console.log(['memory added by 60 half-sent bodies:', ...table].join('\n'))
  for (const [name, { added }] of Object.entries(seen)) expect(added, name).toBeLessThan(ADDED_MAX)
  // Nothing of them counts any more.
  const large = ask(MODEL, { messages: [{ role: 'user', content: 'x'.repeat(2 * MB) }] })
  expect((await post({ url: server.url, key: rich.key, body: large })).status).toBe(200)
})

const mb = (bytes: number) => `${Math.round(bytes / MB)} MB`

test('a key and its balance are checked before the body arrives', async () => {
  const { server, rich, poor } = await open()
  const answered = async (headers: string) => {
    const { reply } = await begin(server, `${HEAD}\r\n${headers}`, Buffer.alloc(0))
    await expect.poll(reply, { timeout: 5000 }).toContain('HTTP/1.1')
    return reply()
  }

  expect(await answered('authorization: Bearer sk-unknown')).toContain(' 401 ')
  expect(await answered(`authorization: Bearer ${poor.key}`)).toContain('insufficient_user_quota')
  const waiting = await begin(server, `${HEAD}\r\nauthorization: Bearer ${rich.key}`, Buffer.alloc(0))
  await sleep(300)
  expect(waiting.reply()).toBe('')
})

test('one user cannot exhaust the space of another', async () => {
  const { server, rich } = await open()
  const more = await begin(server, `${HEAD}\r\n${PLAIN}\r\nauthorization: Bearer ${rich.key}`, halfPlain())
  const others: Awaited<ReturnType<typeof begin>>[] = []
  for (let number = 0; number < 4; number++) {
    others.push(await begin(server, `${HEAD}\r\n${PLAIN}\r\nauthorization: Bearer ${rich.key}`, halfPlain()))
  }

  await expect
    .poll(() => [more, ...others].filter(({ reply }) => reply().includes('bodies_limited')).length, { timeout: 10_000 })
    .toBeGreaterThan(1)
  expect([more, ...others].some(({ reply }) => /retry-after: 1/i.test(reply()))).toBe(true)
})
