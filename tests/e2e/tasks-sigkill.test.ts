import { expect, test } from 'vitest'
import { post } from '../support/chat.ts'
import { releaseAllDead } from '../support/dead.ts'
import { customer, serve } from '../support/gateway.ts'
import { sendJson } from '../support/hand-made-upstream.ts'
import { hurryJobs } from '../support/job-turns.ts'
import { type MidjourneyProxy, startMidjourneyProxy } from '../support/midjourney-proxy.ts'
import { startServer } from '../support/server-process.ts'
import { type SunoServer, startSunoServer } from '../support/suno-server.ts'
import { onBoth, openTestToolkit, type TestToolkit } from '../support/toolkit.ts'

/** Of a drawing and of music alike. */
const PRICE = 50_000
const TASKS = 40
/** For the accepted tasks, and for two whose replies are lost. */
const BUDGET = (TASKS + 2) * PRICE
/** A gateway of a test asks after tasks only when it is told to. */
const POLLING = { settings: { UPDATE_TASK: 'true' } }

interface Fixture extends TestToolkit {
  music: SunoServer
  drawings: MidjourneyProxy
  person: Awaited<ReturnType<typeof customer>>['person']
  tokenId: number
  compose(url: string): ReturnType<typeof post>
  draw(url: string): ReturnType<typeof post>
  /** So many tasks, half of them drawings. Answers how each was answered. */
  spendAll(url: string): Promise<number[]>
  /** Says of every task that it failed. */
  failAll(): void
}

/** A customer who can pay for those tasks and no more, and two upstreams that take them. */
async function openFixture(open: () => Promise<TestToolkit>): Promise<Fixture> {
  const fixture = await open()
  const [music, drawings] = [await startSunoServer(), await startMidjourneyProxy()]
  await fixture.channel({ type: 36, models: 'suno_music', base_url: music.url })
  await fixture.channel({ type: 5, models: 'mj_imagine', base_url: drawings.url })
  const { key, person, bought } = await customer(fixture, {
    user: { quota: BUDGET },
    token: { unlimited_quota: false, remain_quota: BUDGET },
  })
  const body = { prompt: 'x' }
  const compose = (url: string) => post({ url, key, path: '/suno/submit/music', body })
  const draw = (url: string) => post({ url, key, path: '/mj/submit/imagine', body })
  return {
    ...fixture,
    music,
    drawings,
    person,
    tokenId: bought.id,
    compose,
    draw,
    async spendAll(url) {
      const all = Array.from({ length: TASKS }, (_, at) => (at % 2 ? compose(url) : draw(url)))
      return (await Promise.all(all)).map(({ status }) => status)
    },
    failAll() {
      for (const id of music.tasks.keys()) music.report(id, { status: 'FAILURE', fail_reason: 'no' })
      for (const id of drawings.tasks.keys()) drawings.report(id, { status: 'FAILURE', failReason: 'no' })
    },
  }
}

const refunds = async ({ toolkit }: TestToolkit): Promise<string[]> =>
  toolkit.db.reader('ledger_entries').where({ kind: 'refund' }).orderBy('reference').pluck('reference')
async function unfinished({ toolkit: { taskLifecycle } }: TestToolkit): Promise<number> {
  const all = { after: 0, limit: 1000 }
  const open = await Promise.all([taskLifecycle.unfinished('tasks', all), taskLifecycle.unfinished('midjourneys', all)])
  return open.flat().length
}
const ALL_TAKEN = Array(TASKS).fill(200)

/** Every place says that so much was spent and nothing is held, once the dead are taken for dead. */
async function expectBooks(fixture: Fixture, spent: number): Promise<void> {
  const later = await releaseAllDead(fixture)
  const { reader } = later.db
  expect(await reader('holds').select('*')).toEqual([])
  expect(await reader('users').where({ id: fixture.person.id }).first('quota', 'used_quota', 'held_quota')).toEqual({
    quota: BUDGET - spent,
    used_quota: spent,
    held_quota: 0,
  })
  expect(
    await reader('tokens').where({ id: fixture.tokenId }).first('remain_quota', 'used_quota', 'held_quota'),
  ).toEqual({
    remain_quota: BUDGET - spent,
    used_quota: spent,
    held_quota: 0,
  })
  const [channels] = await reader('channels').sum({ used: 'used_quota' })
  expect(Number(channels?.used)).toBe(spent)
  expect(await later.ledger.verify()).toMatchObject({ equal: true })
}

test('tasks survive SIGKILL before their commit, after it, and during refunds: each is refunded once', async () => {
  const fixture = await openFixture(openTestToolkit)
  const { music, drawings } = fixture
  const first = await startServer(fixture)
  for (const { script } of [music, drawings]) script.push(() => {}) // It takes the task, and never says so.
  const cut = [fixture.compose(first.url), fixture.draw(first.url)].map((answer) => answer.catch(() => 'cut'))
  await expect.poll(() => music.seen.length + drawings.seen.length).toBe(2)
  const answers = await fixture.spendAll(first.url)
  first.signal('SIGKILL')
  expect(answers).toEqual(ALL_TAKEN)
  expect(await Promise.all(cut)).toEqual(['cut', 'cut'])
  await first.exited
  expect(await unfinished(fixture)).toBe(TASKS)
  await expectBooks(fixture, TASKS * PRICE)

  const second = await startServer(fixture)
  fixture.failAll()
  music.report('task-1', { status: 'SUCCESS', fail_reason: '' })
  drawings.report('mj-2', { status: 'SUCCESS', progress: '100%', failReason: '' })
  await hurryJobs(fixture)
  while ((await refunds(fixture)).length === 0) expect(second.errors()).toBe('')
  second.signal('SIGKILL')
  await second.exited
  expect(await unfinished(fixture)).toBeGreaterThan(0)

  const third = await serve(fixture, POLLING)
  await hurryJobs(fixture)
  await expect.poll(() => unfinished(fixture), { timeout: 40_000 }).toBe(0)
  const paidBack = await refunds(fixture)
  expect(paidBack).toHaveLength(TASKS - 2)
  expect(new Set(paidBack).size).toBe(TASKS - 2)
  const [song] = await fixture.toolkit.tasks.listTasks(fixture.person, { task_id: 'task-1' })
  const [picture] = await fixture.toolkit.tasks.listDrawings(fixture.person, { mj_id: 'mj-2' })
  expect([song?.status, picture?.status]).toEqual(['SUCCESS', 'SUCCESS'])
  music.script.push((exchange) => sendJson(exchange, { code: 'success', message: '', data: 'again' }))
  expect((await fixture.compose(third.url)).status).toBe(200)
  await third.close()
  await expectBooks(fixture, 3 * PRICE)
}, 180_000)

onBoth('two gateways that both think they lead', (open) => {
  test('poll the same failed tasks concurrently, and refund each once', async () => {
    const fixture = await openFixture(open)
    const [other, own] = await Promise.all([startServer(fixture), serve(fixture, POLLING)])
    expect(await fixture.spendAll(other.url)).toEqual(ALL_TAKEN)
    fixture.failAll()
    // No process gets a music report before both have polled.
    fixture.music.together = 2

    const hurry = setInterval(() => void hurryJobs(fixture).catch(() => {}), 100)
    await expect
      .poll(() => unfinished(fixture), { timeout: 60_000 })
      .toBe(0)
      .finally(() => clearInterval(hurry))

    expect(await refunds(fixture)).toHaveLength(TASKS)
    other.signal('SIGTERM')
    await Promise.all([other.exited, own.close()])
    await expectBooks(fixture, 0)
  }, 180_000)
})
