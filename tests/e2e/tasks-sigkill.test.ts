import { expect, test } from 'vitest'
import { post } from '../support/chat.ts'
import { customer } from '../support/gateway.ts'
import { sendJson } from '../support/hand-made-upstream.ts'
import { hurryJobs } from '../support/job-turns.ts'
import { startServer } from '../support/server-process.ts'
import { type SunoServer, startSunoServer } from '../support/suno-server.ts'
import { onBoth, openTestToolkit, type TestToolkit } from '../support/toolkit.ts'

const PRICE = 50_000
const TASKS = 40
const BUDGET = TASKS * PRICE
/** Longer than a process may be silent before it is taken for dead. */
const MINUTE_S = 60

interface World extends TestToolkit {
  server: SunoServer
  person: Awaited<ReturnType<typeof customer>>['person']
  tokenId: number
  submit(url: string): ReturnType<typeof post>
}

/** A customer who can pay for so many tasks and no more, and a server that takes them. */
async function openWorld(open: () => Promise<TestToolkit>): Promise<World> {
  const world = await open()
  const server = await startSunoServer()
  await world.channel({ type: 36, models: 'suno_music', base_url: server.url })
  const { key, person, bought } = await customer(world, {
    user: { quota: BUDGET },
    token: { unlimited_quota: false, remain_quota: BUDGET },
  })
  const submit = (url: string) => post({ url, key, path: '/suno/submit/music', body: { prompt: 'x' } })
  return { ...world, server, person, tokenId: bought.id, submit }
}

const refunds = async ({ toolkit }: TestToolkit): Promise<string[]> =>
  toolkit.db.reader('ledger_entries').where({ kind: 'refund' }).orderBy('reference').pluck('reference')
const unfinished = async ({ toolkit }: TestToolkit): Promise<number> =>
  (await toolkit.taskLifecycle.unfinished('tasks', { after: 0, limit: 1000 })).length

/** Every place says that so much was spent and nothing is held, once the dead are taken for dead. */
async function expectBooks(world: World, spent: number): Promise<void> {
  const later = await world.another({ now: () => Math.floor(Date.now() / 1000) + MINUTE_S })
  await later.ledger.releaseDead()
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
  expect(await reader('channels').first('used_quota')).toEqual({ used_quota: spent })
  expect(await later.ledger.verify()).toMatchObject({ equal: true })
}

test('music survives SIGKILL before its commit, after it, and while failures are paid back: each is paid back once', async () => {
  const world = await openWorld(openTestToolkit)
  const { server, submit } = world
  const first = await startServer(world)
  server.script.push(() => {}) // It takes the task, and never says so.
  const cut = submit(first.url).catch(() => 'cut')
  await expect.poll(() => server.seen.length, { timeout: 5000 }).toBe(1)
  first.signal('SIGKILL')
  expect(await cut).toBe('cut')
  await first.exited
  await expectBooks(world, 0)

  const second = await startServer(world)
  const answers = await Promise.all(Array.from({ length: TASKS }, () => submit(second.url)))
  second.signal('SIGKILL')
  await second.exited
  expect(answers.map(({ status }) => status)).toEqual(Array(TASKS).fill(200))
  expect(await unfinished(world)).toBe(TASKS)
  await expectBooks(world, BUDGET)

  const third = await startServer(world)
  for (const id of server.tasks.keys()) server.report(id, { status: 'FAILURE', fail_reason: 'no' })
  server.report('task-1', { status: 'SUCCESS', fail_reason: '' })
  await hurryJobs(world)
  while ((await refunds(world)).length === 0) expect(third.errors()).toBe('')
  third.signal('SIGKILL')
  await third.exited
  expect(await unfinished(world)).toBeGreaterThan(0)

  const fourth = await startServer(world)
  await hurryJobs(world)
  await expect.poll(() => unfinished(world), { timeout: 10_000 }).toBe(0)
  const paidBack = await refunds(world)
  expect(paidBack).toHaveLength(TASKS - 1)
  expect(new Set(paidBack).size).toBe(TASKS - 1)
  expect((await world.toolkit.tasks.listTasks(world.person, { task_id: 'task-1' }))[0]?.status).toBe('SUCCESS')
  // The key, which had nothing left, works again.
  server.script.push((exchange) => sendJson(exchange, { code: 'success', message: '', data: 'again' }))
  expect((await submit(fourth.url)).status).toBe(200)
  fourth.signal('SIGKILL')
  await fourth.exited
  await expectBooks(world, 2 * PRICE)
}, 60_000)

onBoth('two gateways that both think they lead', (open) => {
  test('ask for the same failed music at once, and pay each back once', async () => {
    const world = await openWorld(open)
    const { server, submit } = world
    const gateways = [await startServer(world), await startServer(world)]
    const [one] = gateways
    const answers = await Promise.all(Array.from({ length: TASKS }, () => submit(one?.url ?? '')))
    expect(answers.map(({ status }) => status)).toEqual(Array(TASKS).fill(200))
    for (const id of server.tasks.keys()) server.report(id, { status: 'FAILURE', fail_reason: 'no' })
    // Nobody is answered before both have asked.
    server.together = 2

    const hurry = setInterval(() => void hurryJobs(world).catch(() => {}), 100)
    await expect
      .poll(() => unfinished(world), { timeout: 15_000 })
      .toBe(0)
      .finally(() => clearInterval(hurry))

    expect(await refunds(world)).toHaveLength(TASKS)
    for (const { signal, exited } of gateways) {
      signal('SIGTERM')
      await exited
    }
    await expectBooks(world, 0)
  }, 60_000)
})
