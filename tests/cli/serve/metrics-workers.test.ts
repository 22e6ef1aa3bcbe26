import { expect, test } from 'vitest'
import { post } from '../../support/chat.ts'
import { parseExposition, scrapeText, sumOf } from '../../support/exposition.ts'
import { customer, MODEL, setPrices } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { startServer } from '../../support/server-process.ts'
import { openTestToolkit } from '../../support/toolkit.ts'

const RELAYS = 40

test('two workers expose the sums of both, and keep them when one is replaced', async () => {
  const upstream = await startUpstream((exchange) => sendJson(exchange, completion('ok', usage(3, 5))))
  const world = await openTestToolkit()
  await setPrices(world)
  await world.channel({ base_url: upstream.url, models: MODEL, key: 'sk-upstream' })
  const { key } = await customer(world)
  const server = await startServer(world, { WORKERS: '2' })
  const body = { model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
  const answers = await Promise.all(Array.from({ length: RELAYS }, () => post({ url: server.url, key, body })))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: RELAYS }, () => 200))
  const scrape = async () => parseExposition(await scrapeText(server.url))

  // Whichever worker is asked says the same.
  for (let turn = 0; turn < 4; turn++) {
    const samples = await scrape()
    expect(sumOf(samples, 'tollgate_workers')).toBe(2)
    expect(sumOf(samples, 'tollgate_charges_total')).toBe(RELAYS)
    expect(sumOf(samples, 'tollgate_charged_quota_total')).toBe(sumOf(samples, 'tollgate_ledger_used_quota'))
  }

  server.signal('SIGHUP')
  // Both are replaced once the newest started after the signal and two are left.
  const startedBefore = sumOf(await scrape(), 'process_start_time_seconds')
  await expect
    .poll(async () => sumOf(await scrape(), 'process_start_time_seconds'), { timeout: 60_000 })
    .toBeGreaterThan(startedBefore)
  await expect.poll(async () => sumOf(await scrape(), 'tollgate_workers'), { timeout: 60_000 }).toBe(2)
  expect(sumOf(await scrape(), 'tollgate_charges_total')).toBe(RELAYS)
}, 180_000)
