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

interface World extends TestToolkit {
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
async function openWorld(open: () => Promise<TestToolkit>): Promise<World> {
  const world = await open()
  const [music, drawings] = [await startSunoServer(), await startMidjourneyProxy()]
  await world.channel({ type: 36, models: 'suno_music', base_url: music.url })
  await world.channel({ type: 5, models: 'mj_imagine', base_url: drawings.url })
  const { key, person, bought } = await customer(world, {
    user: { quota: BUDGET },
    token: { unlimited_quota: false, remain_quota: BUDGET },
  })
  const body = { prompt: 'x' }
  const compose = (url: string) => post({ url, key, path: '/suno/submit/music', body })
  const draw = (url: string) => post({ url, key, path: '/mj/submit/imagine', body })
  return {
    ...world,
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
async function expectBooks(world: World, spent: number): Promise<void> {
  const later = await releaseAllDead(world)
  const { reader } = later.db
  expect(await reader('holds').select('*')).toEqual([])
  expect(await reader('users').where({ id: world.person.id }).first('quota', 'used_quota', 'held_quota')).toEqual({
    quota: BUDGET - spent,
    used_quota: spent,
    held_quota: 0,
  })
  expect(await reader('tokens').where({ id: world.tokenId }).first('remain_quota', 'used_quota', 'held_quota')).toEqual(
    {
      remain_quota: BUDGET - spent,
      used_quota: spent,
      held_quota: 0,
    },
  )
  const [channels] = await reader('channels').sum({ used: 'used_quota' })
  expect(Number(channels?.used)).toBe(spent)
  expect(await later.ledger.verify()).toMatchObject({ equal: true })
}

test('tasks survive SIGKILL before their commit, after it, and during refunds: each is refunded once', async () => {
  const world = await openWorld(openTestToolkit)
  const { music, drawings } = world
  const first = await startServer(world)
  for (const { script } of [music, drawings]) script.push(() => {}) // It takes the task, and never says so.
  const cut = [world.compose(first.url), world.draw(first.url)].map((answer) => answer.catch(() => 'cut'))
  await expect.poll(() => music.seen.length + drawings.seen.length, { timeout: 5000 }).toBe(2)
  const answers = await world.spendAll(first.url)
  first.signal('SIGKILL')
  expect(answers).toEqual(ALL_TAKEN)
  expect(await Promise.all(cut)).toEqual(['cut', 'cut'])
  await first.exited
  expect(await unfinished(world)).toBe(TASKS)
  await expectBooks(world, TASKS * PRICE)

  const second = await startServer(world)
  world.failAll()
  music.report('task-1', { status: 'SUCCESS', fail_reason: '' })
  drawings.report('mj-2', { status: 'SUCCESS', progress: '100%', failReason: '' })
  await hurryJobs(world)
  while ((await refunds(world)).length === 0) expect(second.errors()).toBe('')
  second.signal('SIGKILL')
  await second.exited
  expect(await unfinished(world)).toBeGreaterThan(0)

  const third = await serve(world, POLLING)
  await hurryJobs(world)
  await expect.poll(() => unfinished(world), { timeout: 40_000 }).toBe(0)
  const paidBack = await refunds(world)
  expect(paidBack).toHaveLength(TASKS - 2)
  expect(new Set(paidBack).size).toBe(TASKS - 2)
  const [song] = await world.toolkit.tasks.listTasks(world.person, { task_id: 'task-1' })
  const [picture] = await world.toolkit.tasks.listDrawings(world.person, { mj_id: 'mj-2' })
  expect([song?.status, picture?.status]).toEqual(['SUCCESS', 'SUCCESS'])
  music.script.push((exchange) => sendJson(exchange, { code: 'success', message: '', data: 'again' }))
  expect((await world.compose(third.url)).status).toBe(200)
  await third.close()
  await expectBooks(world, 3 * PRICE)
}, 180_000)

onBoth('two gateways that both think they lead', (open) => {
  test('poll the same failed tasks concurrently, and refund each once', async () => {
    const world = await openWorld(open)
    const [other, own] = await Promise.all([startServer(world), serve(world, POLLING)])
    expect(await world.spendAll(other.url)).toEqual(ALL_TAKEN)
    world.failAll()
    // No process gets a music report before both have polled.
    world.music.together = 2

    const hurry = setInterval(() => void hurryJobs(world).catch(() => {}), 100)
    await expect
      .poll(() => unfinished(world), { timeout: 60_000 })
      .toBe(0)
      .finally(() => clearInterval(hurry))

    expect(await refunds(world)).toHaveLength(TASKS)
    other.signal('SIGTERM')
    await Promise.all([other.exited, own.close()])
    await expectBooks(world, 0)
  }, 180_000)
})
