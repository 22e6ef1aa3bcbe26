import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectExactBooks, otherOf } from '../support/books.ts'
import { ask, post } from '../support/chat.ts'
import { promptTokensOf, tokensOf } from '../support/count.ts'
import { customer, MODEL, priceOf, type Settings, setPrices } from '../support/gateway.ts'
import {
  DONE,
  type Exchange,
  event,
  say,
  startStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const STREAM = ask(MODEL, { stream: true })

/** A gateway with an upstream that says one word every 50 ms, `words` times. */
async function openSlow({ words, ...settings }: Settings & { words: number }) {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream(async (exchange) => {
    startStream(exchange)
    for (let count = 0; count < words && !exchange.response.destroyed; count++) {
      exchange.response.write(event(say('word ')))
      await sleep(50)
    }
    exchange.response.end(event(stopChunk()) + event(usageChunk(usage(9, words))) + DONE)
  })
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const buyer = await customer(fixture)
  const server = await startServer(fixture, settings)
  return { ...fixture, ...buyer, upstream, server, url: server.url }
}

async function expectNothingLeft({ toolkit }: Awaited<ReturnType<typeof openSlow>>) {
  for (const table of ['holds', 'nodes']) expect(await toolkit.db.reader(table).select('*')).toEqual([])
  expect(await toolkit.db.reader('users').sum({ held: 'held_quota' })).toEqual([{ held: 0 }])
}

test('after SIGTERM a stream completes and is charged, while new connections are rejected', async () => {
  const fixture = await openSlow({ words: 30, STOP_GRACE: '10' })
  const streaming = post({ ...fixture, body: STREAM })
  await expect.poll(() => fixture.upstream.seen.length).toBe(1)

  fixture.server.signal('SIGTERM')

  await expect.poll(() => fetch(`${fixture.url}/api/status`).catch(() => 'refused')).toBe('refused')
  expect(await post({ ...fixture, body: STREAM }).catch(() => 'refused')).toBe('refused')
  expect(await streaming).toMatchObject({ complete: true, content: 'word '.repeat(30) })
  expect(await fixture.server.exited).toEqual({ code: 0, signal: null })
  expect(fixture.upstream.seen).toHaveLength(1)
  expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(9, 30) }])
  await expectNothingLeft(fixture)
})

test('a stream longer than STOP_GRACE ends with an error and is charged for its output; exit code 0', async () => {
  const fixture = await openSlow({ words: 400, STOP_GRACE: '1' })
  const streaming = post({ ...fixture, body: STREAM })
  await expect.poll(() => fixture.upstream.seen.length).toBe(1)
  await sleep(200)

  fixture.server.signal('SIGTERM')

  const answer = await streaming
  expect(answer.complete).toBe(false)
  expect(answer.events.at(-1)?.error).toMatchObject({ code: 'stopping' })
  expect(await fixture.server.exited).toEqual({ code: 0, signal: null })
  const logs = await expectExactBooks(fixture)
  expect(logs).toMatchObject([{ quota: priceOf(promptTokensOf('hello'), tokensOf(answer.content)) }])
  expect(logs.map(otherOf)).toMatchObject([{ incomplete: true, end_reason: 'stopping', estimated: true }])
  await expectNothingLeft(fixture)
})

test('a request started before SIGTERM is served, and so is the next one on its connection', async () => {
  const fixture = await openSlow({ words: 40, STOP_GRACE: '10' })
  const streaming = post({ ...fixture, body: STREAM })
  await expect.poll(() => fixture.upstream.seen.length).toBe(1)
  const body = JSON.stringify(STREAM)
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${fixture.key}\r\ncontent-length: ${body.length}\r\n\r\n`
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.write(head + body.slice(0, 5))
  await sleep(100)

  fixture.server.signal('SIGTERM')
  await sleep(200)
  socket.write(body.slice(5))

  await expect.poll(() => received).toContain('[DONE]')
  received = ''
  socket.write(head + body)
  await expect.poll(() => received).toContain('[DONE]')
  expect(received).toMatch(/^HTTP\/1\.1 200 /)
  expect(received).toMatch(/^connection: close\r$/im)
  expect((await streaming).complete).toBe(true)
  expect((await fixture.server.exited).code).toBe(0)
})

test('a client that does not read cannot block shutdown, and pays for the output', async () => {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange: Exchange) => {
    startStream(exchange)
    const timer = setInterval(() => {
      if (!exchange.response.writableNeedDrain) exchange.response.write(event(say('word '.repeat(10_000))))
    }, 1)
    exchange.response.once('close', () => clearInterval(timer))
  })
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const { key } = await customer(fixture, { user: { quota: 1e12 } })
  const server = await startServer(fixture, { STOP_GRACE: '1' })
  const body = JSON.stringify(STREAM)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {}) // It is cut off.
  socket.pause()
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(() => upstream.seen.length).toBe(1)
  await sleep(1000)

  server.signal('SIGTERM')

  const stopped = await Promise.race([server.exited, sleep(8000, 'still running')])
  socket.destroy()
  expect(stopped).toEqual({ code: 0, signal: null })
  expect(await expectExactBooks(fixture)).toHaveLength(1)
})

test('a client that has sent half a request cannot block shutdown', async () => {
  const fixture = await openTestToolkit()
  const server = await startServer(fixture, { STOP_GRACE: '1' })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {}) // It is cut off.
  socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n{"model":')
  await sleep(100)

  server.signal('SIGTERM')

  const stopped = await Promise.race([server.exited, sleep(6000, 'still running')])
  socket.destroy()
  expect(stopped).toEqual({ code: 0, signal: null })
})
