import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { charges, expectExactBooks } from '../support/books.ts'
import { type Answer, ask, post } from '../support/chat.ts'
import { releaseAllDead } from '../support/dead.ts'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { seeded } from '../support/seeded.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const ROUNDS = 10
const AT_ONCE = 48
const ROUND_MS_MAX = 8000

test('each reply completed before SIGKILL has one log row and one charge, in ten runs', async () => {
  const fixture = await openTestToolkit()
  const upstream = await startSimulatedUpstream({ firstTokenMs: 5, tokensPerSecond: 1000 })
  onTestFinished(() => upstream.close())
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL })
  const budget = { unlimited_quota: false, remain_quota: 1e9 }
  const { person, bought, key } = await customer(fixture, { user: { quota: 1e9 }, token: budget })
  const random = seeded(20_250_806)
  const answers: Answer[] = []

  for (let round = 0; round < ROUNDS; round++) {
    const { url, signal, exited } = await startServer(fixture)
    const before = answers.length
    let dead = false
    const clients = Array.from({ length: AT_ONCE }, async (_, client) => {
      for (let turn = 0; !dead; turn++) {
        const body = ask(MODEL, { stream: (client + turn) % 2 === 0, max_tokens: 16 })
        const answer = await post({ url, key, body }).catch(() => undefined)
        if (answer) answers.push(answer)
      }
    })
    // Somewhere in the middle of the load, however fast the machine is.
    const enough = before + AT_ONCE * (2 + random() * 3)
    const until = Date.now() + ROUND_MS_MAX
    while (answers.length < enough && Date.now() < until) await sleep(2)
    await sleep(random() * 20)
    signal('SIGKILL')
    dead = true
    await exited
    await Promise.all(clients)
  }

  const whole = answers.filter(({ status, complete }) => status === 200 && complete)
  expect(whole.length).toBeGreaterThan(ROUNDS * AT_ONCE)
  expect(answers.filter(({ complete }) => !complete).length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const rows = new Map<string, number>()
  for (const { request_id } of await charges(fixture)) rows.set(request_id, (rows.get(request_id) ?? 0) + 1)
  expect(whole.filter(({ requestId }) => rows.get(requestId) !== 1)).toEqual([])
  expect([...rows.values()].every((count) => count === 1)).toBe(true)

  // What the ten dead processes had set aside comes back at the first look after a minute.
  expect(await fixture.toolkit.db.reader('nodes').select('id')).toHaveLength(ROUNDS)
  const later = await releaseAllDead(fixture)
  expect(await later.db.reader('nodes').select('id')).toEqual([])
  expect(await later.db.reader('holds').select('*')).toEqual([])
  const [{ held_quota, quota }] = await later.db.reader('users').where({ id: person.id }).select('held_quota', 'quota')
  expect(held_quota).toBe(0)
  // The dashboard's counts are among what must agree.
  const logs = await expectExactBooks(fixture)
  const spent = logs.reduce((sum, log) => sum + log.quota, 0)
  expect(quota).toBe(1e9 - spent)
  expect(await later.tokens.get(person, bought.id)).toMatchObject({ remain_quota: 1e9 - spent, used_quota: spent })
}, 600_000)
