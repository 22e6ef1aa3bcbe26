import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { tokensOf } from '../../support/count.ts'
import { countInEarnest } from '../../support/counting.ts'
import { leastCpuMs } from '../../support/cpu.ts'
import { MODEL, priceOf, type TestRelay } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  DONE,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

countInEarnest()

const open = reusedRelay()

const STREAM = ask(MODEL, { stream: true })

async function theCharge(fixture: TestRelay) {
  await expectNothingHeld(fixture)
  const logs = await expectExactBooks(fixture)
  expect(logs).toHaveLength(1)
  return logs[0]
}

describe('a stream at any chunk boundaries', () => {
  const OUTPUT = 'a 天地 😀 end'
  const frames = (newline: string) =>
    Buffer.from(
      [say('a '), say('天地 '), say('😀'), say(' end'), stopChunk(), usageChunk(usage(11, 4)), '[DONE]']
        .map(
          (payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}${newline}${newline}`,
        )
        .join(''),
    )
  const cuts: Record<string, { bytes: Buffer; size: number }> = {
    'byte by byte': { bytes: frames('\n'), size: 1 },
    'byte by byte, with CRLF': { bytes: frames('\r\n'), size: 1 },
    'in threes, inside characters': { bytes: frames('\n'), size: 3 },
    'in sevens, with lone CR': { bytes: frames('\r'), size: 7 },
    'all at once': { bytes: frames('\r\n'), size: 1e6 },
  }
  test.each(Object.entries(cuts))('%s, arrives whole', async (_, { bytes, size }) => {
    const fixture = await open(async (exchange) => {
      startStream(exchange)
      exchange.response.socket?.setNoDelay(true)
      for (let at = 0; at < bytes.length; at += size) {
        exchange.response.write(bytes.subarray(at, at + size))
        await new Promise((resolve) => setImmediate(resolve))
      }
      exchange.response.end()
    })

    const answer = await fixture.chat(STREAM)

    // Lone carriage returns are line ends, too, and no reader of JSON minds them.
    const text = answer.text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    const chunks = [...text.matchAll(/data: ?(\{.*\})/g)].map(
      ([, json]) => JSON.parse(json as string).choices[0]?.delta?.content ?? '',
    )
    expect(chunks.join('')).toBe(OUTPUT)
    expect(answer.complete).toBe(true)
    expect(await theCharge(fixture)).toMatchObject({ prompt_tokens: 11, completion_tokens: 4, quota: priceOf(11, 4) })
  })

  test('keep-alive comments and empty events have no content and no cost', async () => {
    const fixture = await open(async (exchange) => {
      startStream(exchange)
      exchange.response.write(': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n')
      await sleep(20)
      exchange.response.write(`data:\n\n\n\n${event(say('hi'))}: again\n\n`)
      await sleep(20)
      exchange.response.end(event(stopChunk()) + event(usageChunk(usage(11, 1))) + DONE)
    })

    expect(await fixture.chat(STREAM)).toMatchObject({ content: 'hi', complete: true })
    expect(await theCharge(fixture)).toMatchObject({ quota: priceOf(11, 1) })
  })

  test('an event of 20 MB ends the stream, because memory is bounded', async () => {
    const fixture = await open((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('hi')))
      setTimeout(
        () => exchange.response.end(`data: {"choices":[{"delta":{"content":"${'x'.repeat(20 * 1024 * 1024)}"}}]}\n\n`),
        50,
      )
    })

    const answer = await fixture.chat(STREAM)

    expect(answer).toMatchObject({ status: 200, content: 'hi', complete: false })
    expect(await theCharge(fixture)).toMatchObject({ completion_tokens: tokensOf('hi') })
  })

  test('an event of 20 MB in small chunks costs less than as many small events', async () => {
    let piece = ''
    const fixture = await open(async (exchange) => {
      startStream(exchange)
      const { response } = exchange
      response.write(`${event(say('hi'))}data: {"x":"`)
      for (let sent = 0; sent < 20 * 1024 && !response.destroyed; sent++) {
        if (!response.write(piece))
          await Promise.race([new Promise((drained) => response.once('drain', drained)), sleep(1000)])
      }
      response.end()
    })
    const cpuMsWith = (nextPiece: string) =>
      leastCpuMs(async () => {
        piece = nextPiece
        expect(await fixture.chat(STREAM)).toMatchObject({ status: 200, complete: false })
      })

    const oneEvent = await cpuMsWith('x'.repeat(1024))
    const smallEvents = await cpuMsWith(`"}\n\ndata: {"x":"${'x'.repeat(1024)}`)

    expect(oneEvent).toBeLessThan(smallEvents)
  })
})

test('a JSON reply to a stream request reaches the client as a stream', async () => {
  const fixture = await open((exchange) => sendJson(exchange, completion('whole', usage(11, 2))))

  const answer = await fixture.chat(STREAM)

  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(answer).toMatchObject({ content: 'whole', complete: true })
  expect(answer.events[0]).toMatchObject({ object: 'chat.completion.chunk' })
})

test('a stream that was not requested is forwarded, and charged', async () => {
  const fixture = await open((exchange) => sendStream(exchange, [say('hi'), stopChunk(), usageChunk(usage(11, 2))]))

  const answer = await fixture.chat(ask(MODEL))

  expect(answer).toMatchObject({ status: 200, content: 'hi', complete: true })
  expect(await theCharge(fixture)).toMatchObject({ quota: priceOf(11, 2) })
})

test('a JSON reply to a stream request is complete without a finish reason', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'whole' } }]
  const fixture = await open((exchange) => sendJson(exchange, completion('', usage(11, 2), { choices })))

  expect(await fixture.chat(STREAM)).toMatchObject({ content: 'whole', complete: true })

  const log = await theCharge(fixture)
  expect(log && otherOf(log)).not.toHaveProperty('incomplete')
})

describe('an upstream that keeps the connection open', () => {
  const endings = { 'after [DONE]': [say('hi'), stopChunk(), usageChunk(usage(5, 1))], 'after an empty stream': [] }
  test.each(Object.entries(endings))('%s is disconnected', async (_, payloads) => {
    const fixture = await open(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(payloads.map(event).join('') + DONE)
      const timer = setInterval(() => response.write(': still here\n\n'), 100)
      response.once('close', () => clearInterval(timer))
    })

    expect((await fixture.chat(STREAM)).status).toBe(payloads.length ? 200 : 502)

    await expect.poll(() => fixture.upstream.seen[0]?.whole, { timeout: 5000 }).toBe(false)
  })
})

test('upstream output before an error in the same packet reaches the client, and is charged', async () => {
  const fixture = await open((exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('One ')))
    setTimeout(() => exchange.response.end(event(say('two')) + event({ error: { message: 'broken' } })), 50)
  })

  const answer = await fixture.chat(STREAM)

  expect(answer).toMatchObject({ content: 'One two', complete: false })
  expect(await theCharge(fixture)).toMatchObject({ completion_tokens: tokensOf('One two') })
})

test('an empty reply with only a finish reason is a reply', async () => {
  const fixture = await open((exchange) =>
    sendStream(exchange, [chunk({ role: 'assistant', content: '' }), stopChunk(), usageChunk(usage(5, 0))]),
  )

  expect(await fixture.chat(STREAM)).toMatchObject({ status: 200, content: '', complete: true })

  expect(await theCharge(fixture)).toMatchObject({ quota: 3 * 5 })
})
