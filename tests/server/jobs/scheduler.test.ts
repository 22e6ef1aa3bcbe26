import { expect, test } from 'vitest'
import { GATEWAY } from '../../../core/actor.ts'
import { LEASE_TTL_S } from '../../../core/jobs/leases.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Job } from '../../../server/jobs/job.ts'
import { createJobRunner } from '../../../server/jobs/runner.ts'
import { createScheduler } from '../../../server/jobs/scheduler.ts'
import { onBoth } from '../../support/toolkit.ts'

const START_MS = 1_800_000_000_000
const EVERY_S = 60

/** A clock that is moved by hand, for the core in seconds and for schedulers in milliseconds. */
function handClock() {
  let ms = START_MS
  return {
    now: () => Math.floor(ms / 1000),
    nowMs: () => ms,
    pass(seconds: number) {
      ms += seconds * 1000
    },
  }
}

/** What a serving process has. */
function member(toolkit: LocalToolkit, node: string, list: Job[], nowMs: () => number) {
  const failures: unknown[] = []
  const parts = { jobs: toolkit.jobs, node, onFailure: (error: unknown) => void failures.push(error) }
  const runner = createJobRunner({ ...parts, renewEveryMs: 20 })
  const scheduler = createScheduler({
    ...parts,
    lease: 'scheduler',
    list,
    leases: toolkit.leases,
    runner,
    now: nowMs,
  })
  return { ...scheduler, runner, failures }
}

const idle = async (toolkit: LocalToolkit, job?: string) =>
  expect
    .poll(async () => {
      const list = await toolkit.jobs.list(GATEWAY)
      return list.filter(({ name, running }) => running && (job ?? name) === name)
    })
    .toEqual([])

onBoth('of two schedulers', (open) => {
  test('one leads; when it dies the other leads after the lease, with the same schedule', async () => {
    const { now, nowMs, pass } = handClock()
    const { toolkit, another, root } = await open({ now })
    const ran: string[] = []
    const job = (by: string): Job => ({
      name: 'sweep',
      everyMs: EVERY_S * 1000,
      run: async () => {
        ran.push(by)
        return undefined
      },
    })
    const first = member(toolkit, 'first', [job('first')], nowMs)
    const second = member(await another({ now }), 'second', [job('second')], nowMs)
    const tickBoth = async () => {
      await Promise.all([first.tick(), second.tick()])
      await idle(toolkit)
    }

    await tickBoth()
    expect(ran).toHaveLength(1)
    const [leader, other] = ran[0] === 'first' ? [first, second] : [second, first]
    for (let s = 0; s < EVERY_S; s += 10, pass(10)) await tickBoth()
    expect(ran).toHaveLength(1)
    await tickBoth()
    expect(ran).toEqual([ran[0], ran[0]])

    // The leader is gone without a word.
    let waited = 0
    while ((await toolkit.jobs.list(root))[0]?.leader !== (leader === first ? 'second' : 'first')) {
      expect(waited).toBeLessThan(LEASE_TTL_S + 10)
      pass(3)
      waited += 3
      await other.tick()
    }
    expect(waited).toBeGreaterThan(LEASE_TTL_S - 10)
    await idle(toolkit)
    expect(ran).toHaveLength(2)
    pass(EVERY_S - waited)
    await other.tick()
    await idle(toolkit)
    expect(ran).toHaveLength(3)
    expect(ran[2]).not.toBe(ran[0])

    // What woke up believes that it still leads until it looks; then it does not.
    await leader.tick()
    expect(ran).toHaveLength(3)
    expect([...first.failures, ...second.failures]).toEqual([])
  })

  test('a stopping one releases the lease, aborts its runs and awaits them; a failed job is retried at its next time', async () => {
    const { now, nowMs, pass } = handClock()
    const { toolkit, another, root } = await open({ now })
    let ended = false
    const patient: Job = {
      name: 'patient',
      everyMs: 1000,
      run: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            ended = true
            resolve(undefined)
          })
        }),
    }
    let tries = 0
    const failing: Job = {
      name: 'failing',
      everyMs: 5000,
      async run() {
        tries++
        throw new Error(tries < 3 ? 'the moon is full' : 'the moon is new')
      },
    }
    const first = member(toolkit, 'first', [patient, failing], nowMs)
    await first.tick()
    await expect.poll(() => first.failures).toHaveLength(1)
    pass(2)
    await first.tick() // It still runs: it is not begun twice.
    await expect
      .poll(() => toolkit.jobs.list(root))
      .toMatchObject([
        { name: 'failing', outcome: 'failed: the moon is full', every: 5 },
        { name: 'patient', running: true, started_at: now() - 2 },
      ])
    pass(3)
    await first.tick()
    await idle(toolkit, 'failing')
    expect(tries).toBe(2)
    // The same again is no news.
    expect(first.failures).toHaveLength(1)
    pass(5)
    await first.tick()
    await expect.poll(() => first.failures).toHaveLength(2)
    expect(tries).toBe(3)

    await Promise.all([first.close(), first.runner.close()])
    expect(ended).toBe(true)
    expect(await toolkit.jobs.list(root)).toMatchObject([
      { name: 'failing' },
      { name: 'patient', running: false, outcome: 'stopped' },
    ])
    await expect(first.runner.start(patient)).rejects.toMatchObject({ code: 'STOPPING' })

    let taken = false
    const next: Job = {
      name: 'patient',
      everyMs: 1000,
      async run() {
        taken = true
        return '1 thing'
      },
    }
    const second = member(await another({ now }), 'second', [next], nowMs)
    await second.tick()
    await expect
      .poll(() => toolkit.jobs.list(root))
      .toMatchObject([
        { name: 'failing', every: 0 },
        { leader: 'second', outcome: 'done: 1 thing' },
      ])
    expect(taken).toBe(true)
  })

  test('a run that cannot renew its lease ends with it', async () => {
    const { toolkit } = await open()
    const failures: unknown[] = []
    const cut = { ...toolkit.jobs, renew: () => Promise.reject(new Error('the database is away')) }
    const onFailure = (error: unknown) => void failures.push(error)
    const runner = createJobRunner({ jobs: cut, node: 'cut', onFailure, renewEveryMs: 20, leaseMs: 70 })
    let aborted = false
    const run = (signal: AbortSignal) =>
      new Promise<undefined>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true
          resolve(undefined)
        })
      })
    await runner.start({ name: 'lonely', everyMs: 1000, run }, { now: true })
    await expect.poll(() => aborted).toBe(true)
    await runner.close()
    expect(failures.length).toBeGreaterThan(0)
    expect(await toolkit.jobs.list(GATEWAY)).toMatchObject([{ name: 'lonely', outcome: 'stopped' }])
  })

  test('a run that was considered dead is notified', async () => {
    const { now, nowMs, pass } = handClock()
    const { toolkit } = await open({ now })
    let aborted = false
    const job: Job = {
      name: 'slept',
      everyMs: 1000,
      run: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true
            resolve(undefined)
          })
        }),
    }
    const { runner, tick } = member(toolkit, 'sleeper', [job], nowMs)
    await tick()
    // Another process has it when this process checks again.
    pass(LEASE_TTL_S)
    await toolkit.db.transaction((trx) => trx('leases').where({ name: 'job:slept' }).update({ holder: 'other' }))
    await toolkit.jobs.renew({ name: 'slept', holder: 'other' })
    await expect.poll(() => aborted).toBe(true)
    await runner.close()
    expect(await toolkit.jobs.list(GATEWAY)).toMatchObject([{ name: 'slept', running: true }])
  })
})
