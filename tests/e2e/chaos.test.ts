import { pino } from 'pino'
import { expect, test } from 'vitest'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { Log } from '../../core/logs/log.ts'
import { expectExactTotals, expectNothingHeld } from '../support/books.ts'
import { type Outcome, relay } from '../support/chaos/clients.ts'
import { type Reading, readProcess } from '../support/chaos/readings.ts'
import { startFlakyUpstream, WAYS } from '../support/chaos/upstreams.ts'
import { parseExposition, scrapeText, sumOf } from '../support/exposition.ts'
import { customer, openTestGateway } from '../support/gateway.ts'
import { seeded } from '../support/seeded.ts'
import { freePort } from '../support/server-process.ts'

/** `npm run chaos` makes more of them. */
const RELAYS = Number(process.env.CHAOS_RELAYS ?? 800)
const AT_ONCE = 32
const PARTS = 4
const UPSTREAMS = 4
const CHANNELS_EACH = 3
const MODELS = Array.from({ length: 8 }, (_, at) => `model-${at}`)
const FAILED_SHARE = 0.3
const TIMEOUT_MS = 400
/**
 * For each request whose first draw, were nothing known of health, would be a channel of the dead upstream: its channels' share
 * of all, which weigh the same. The aim is 1.2. Without circuits it is some 1.5, since a retry may draw another of them.
 */
const ATTEMPTS_ON_THE_DEAD_MAX = 0.5
/** Connections to upstreams that wait for the next request come and go. */
const DESCRIPTORS_GROWTH_MAX = 40
const HEAP_GROWTH_MB_MAX = 25

/** A gateway over upstreams that fail, and one address without a server; it counts its own failed attempts by channel. */
async function openChaos() {
  const random = seeded(5_000_000 + RELAYS)
  const failedAttempts = new Map<number, number>()
  const heard = (line: string) => {
    const { channel, msg } = JSON.parse(line) as { channel?: number; msg?: string }
    if (channel && msg === 'attempt failed') failedAttempts.set(channel, (failedAttempts.get(channel) ?? 0) + 1)
  }
  const fixture = await openTestGateway({
    config: { relayTimeoutMs: TIMEOUT_MS, firstTokenTimeoutMs: TIMEOUT_MS },
    logger: pino({ level: 'warn' }, { write: heard }),
  })
  const { toolkit, root } = fixture
  const ratios = Object.fromEntries(MODELS.map((model) => [model, 1]))
  await toolkit.options.set(root, 'ModelRatio', JSON.stringify(ratios))
  await toolkit.options.set(root, 'RetryTimes', '3')
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
  const models = MODELS.join(',')
  const flaky = await Promise.all(Array.from({ length: UPSTREAMS }, () => startFlakyUpstream(random, FAILED_SHARE)))
  const healthy: number[] = []
  for (const { url } of flaky) {
    for (let each = 0; each < CHANNELS_EACH; each++) healthy.push((await fixture.channel({ base_url: url, models })).id)
  }
  const deadUrl = `http://127.0.0.1:${await freePort()}`
  const dead: number[] = []
  for (let each = 0; each < CHANNELS_EACH; each++) dead.push((await fixture.channel({ base_url: deadUrl, models })).id)
  const { key } = await customer(fixture, {
    user: { quota: 1e9 },
    token: { unlimited_quota: false, remain_quota: 1e9 },
  })
  return { ...fixture, key, flaky, healthy, dead, failedAttempts }
}

test(
  `with upstreams that fail ${FAILED_SHARE * 100} % of the time in ${WAYS.length} ways, every client gets a reply or a valid error, and the ledger is exact`,
  async () => {
    const fixture = await openChaos()
    const { url, key, toolkit, flaky, healthy, dead, failedAttempts } = fixture
    const outcomes: Outcome[] = []
    const readings: Reading[] = []
    const startedAt = performance.now()
    for (let part = 0; part < PARTS; part++) {
      let left = RELAYS / PARTS
      const clients = Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) {
          const n = outcomes.length
          outcomes.push(await relay({ url, key, model: MODELS[n % MODELS.length] as string }, n))
        }
      })
      await Promise.all(clients)
      readings.push(readProcess())
    }
    const seconds = (performance.now() - startedAt) / 1000

    const ended = (end: Outcome['end']) => outcomes.filter((outcome) => outcome.end === end)
    const deadAttempts = dead.reduce((sum, id) => sum + (failedAttempts.get(id) ?? 0), 0)
    const drawn = (RELAYS * dead.length) / (dead.length + healthy.length)
    const requests = flaky.reduce((sum, upstream) => sum + upstream.requests, 0)
    const failures = WAYS.map((way) => [way, flaky.reduce((sum, { failed }) => sum + failed[way], 0)])
    const [first, last] = [readings[1], readings.at(-1)] as [Reading, Reading]
    console.log(
      [
        `chaos: ${RELAYS} relays in ${seconds.toFixed(1)} s, ${AT_ONCE} at once`,
        `  answers: ${ended('whole').length} whole, ${ended('broken').length} streams that said they broke, ${ended('refused').length} refused ${statuses(ended('refused'))}, ${ended('improper').length} improper`,
        `  upstreams: ${requests} requests, failed ${failures.map(([way, count]) => `${way}: ${count}`).join(', ')}`,
        `  dead upstream: ${deadAttempts} attempts, ${(deadAttempts / drawn).toFixed(4)} per request that would draw it`,
        `  after each quarter: ${readings.map((it) => `${it.descriptors ?? 'unknown'} descriptors, heap ${it.heapMb.toFixed(0)} MB, rss ${it.rssMb.toFixed(0)} MB`).join(' | ')}`,
      ].join('\n'),
    )

    expect(ended('improper').slice(0, 5)).toEqual([])
    expect(ended('whole').length).toBeGreaterThan(RELAYS * 0.8)
    expect(deadAttempts / drawn).toBeLessThan(ATTEMPTS_ON_THE_DEAD_MAX)

    // A client that received a reply, or a part of one, has one charge; a rejected client has none.
    await expectNothingHeld(fixture)
    const logs = await expectExactTotals(fixture)
    const charged = logs.map(({ request_id }) => request_id).sort()
    const served = [...ended('whole'), ...ended('broken')].map(({ requestId }) => requestId)
    expect(charged).toEqual(served.sort())
    await expectExactMetrics(url, logs)

    const enabled = await toolkit.db.reader('channels').where({ status: CHANNEL_STATUS.enabled }).pluck('id')
    expect(enabled).toEqual(expect.arrayContaining(healthy))
    expect(last.heapMb - first.heapMb).toBeLessThan(HEAP_GROWTH_MB_MAX)
    if (first.descriptors === undefined || last.descriptors === undefined) {
      console.warn('chaos: growth of descriptors is not measured: this system does not tell how many there are')
    } else expect(last.descriptors - first.descriptors).toBeLessThan(DESCRIPTORS_GROWTH_MAX)
  },
  60_000 + RELAYS * 40,
)

/** Expects the money and token counters of each channel, and the sums of the books, to equal the log. */
async function expectExactMetrics(url: string, logs: readonly Log[]): Promise<void> {
  const samples = parseExposition(await scrapeText(url))
  for (const id of new Set(logs.map(({ channel }) => channel))) {
    const channel = String(id)
    const rows = logs.filter(({ channel }) => channel === id)
    const total = (field: 'quota' | 'prompt_tokens' | 'completion_tokens') =>
      rows.reduce((sum, row) => sum + row[field], 0)
    const counted = (name: string, labels = {}) => sumOf(samples, name, { channel, ...labels })
    expect(counted('tollgate_charges_total')).toBe(rows.length)
    expect(counted('tollgate_charged_quota_total')).toBe(total('quota'))
    expect(counted('tollgate_tokens_total', { kind: 'prompt' })).toBe(total('prompt_tokens'))
    expect(counted('tollgate_tokens_total', { kind: 'completion' })).toBe(total('completion_tokens'))
  }
  expect(sumOf(samples, 'tollgate_charges_total')).toBe(logs.length)
  expect(sumOf(samples, 'tollgate_ledger_used_quota')).toBe(sumOf(samples, 'tollgate_charged_quota_total'))
  expect(sumOf(samples, 'tollgate_ledger_requests')).toBe(logs.length)
}

function statuses(outcomes: readonly Outcome[]): string {
  const counts = new Map<number, number>()
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ')
}
