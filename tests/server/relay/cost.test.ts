import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask, post } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, setPrices } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  say,
  sendJson,
  sendStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { startServer } from '../../support/server-process.ts'
import { openTestToolkit } from '../../support/toolkit.ts'

/** At once: what their batch of charges costs is shared, as under load. */
const CONNECTIONS = 32
const RELAYS = 10 * CONNECTIONS
const RELAYS_FOR_BYTES = 64 * CONNECTIONS
const PROBE = new URL('../../support/relay-cost-probe.js', import.meta.url).href

const fixture = shared(async () => {
  const upstream = await startUpstream((exchange) => {
    const { stream } = exchange.body as { stream?: boolean }
    if (!stream) return sendJson(exchange, completion('Done', usage(11, 3)))
    const text = Array.from({ length: 100 }, (_, at) => say(` word ${at}`))
    return sendStream(exchange, [
      chunk({ role: 'assistant', content: '' }),
      ...text,
      stopChunk(),
      usageChunk(usage(11, 99)),
    ])
  })
  const opened = await openTestToolkit()
  await setPrices(opened)
  await opened.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY })
  const { key } = await customer(opened, { user: { quota: 1_000_000_000 } })
  const file = join(opened.config.dataFolder, 'cost.json')
  const server = await startServer(opened, {}, { NODE_OPTIONS: `--import ${PROBE}`, COST_FILE: file })
  return { ...server, key, file }
})

interface Cost {
  readonly promises: number
  readonly parses: number
  readonly replyWrites: number
  readonly timers: number
  readonly transactions: number
  readonly bytes: number
}

/** What one relay costs, on average, without what the process does in the same time anyway. */
async function costOf(body: object): Promise<Cost> {
  const { url, key, file, signal } = fixture()
  const relay = async (times: number) => {
    for (let done = 0; done < times; done += CONNECTIONS) {
      const replies = await Promise.all(Array.from({ length: CONNECTIONS }, () => post({ url, key, body })))
      expect(replies.every(({ status }) => status === 200)).toBe(true)
    }
  }
  const count = async (work: () => Promise<unknown>): Promise<Cost> => {
    await rm(file, { force: true })
    signal('SIGUSR2')
    await sleep(100)
    await work()
    signal('SIGUSR2')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('')
    return JSON.parse(await readFile(file, 'utf8'))
  }
  await relay(RELAYS)
  // The probe counts bytes and promises in turn.
  const { bytes } = await count(() => relay(RELAYS_FOR_BYTES))
  const began = performance.now()
  const busy = await count(() => relay(RELAYS))
  const elapsedMs = performance.now() - began
  await count(() => sleep(0))
  const idle = await count(() => sleep(elapsedMs))
  const perRelay = Object.entries(busy).map(([name, sum]) => [name, (sum - idle[name as keyof Cost]) / RELAYS])
  const cost: Cost = { ...Object.fromEntries(perRelay), bytes: bytes / RELAYS_FOR_BYTES }
  process.stdout.write(`cost of a relay: ${JSON.stringify(cost)}\n`)
  return cost
}

test('a chat creates few promises and little garbage, parses only what it must, and is sent in one write', async () => {
  const { promises, parses, replyWrites, timers, transactions, bytes } = await costOf(ask(MODEL))
  // Three of the relay, and its part of the batch's. There were 87 when every step of a relay was awaited.
  expect(promises).toBeLessThanOrEqual(6)
  // Request and reply, and now and then a row of the database.
  expect(parses).toBeLessThanOrEqual(2.2)
  expect(replyWrites).toBe(1)
  // One of undici at most, and some of the process.
  expect(timers).toBeLessThanOrEqual(2)
  // One for the charges of many relays.
  expect(transactions).toBeLessThanOrEqual(0.5)
  // Some 20 kB of them are of Node's HTTP server and of undici.
  expect(bytes).toBeLessThanOrEqual(60_000)
})

test('a stream parses its request, its start and its end, and no text events', async () => {
  const { parses } = await costOf({ ...ask(MODEL), stream: true })
  expect(parses).toBeLessThanOrEqual(5.2)
})
