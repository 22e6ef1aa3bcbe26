import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isDue } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S } from '../../core/jobs/leases.ts'
import { shared } from '../support/lifetime.ts'
import { findPostgres } from '../support/postgres.ts'
import { openTestToolkit, skipWithoutPostgres } from '../support/toolkit.ts'

const START = 1_800_000_000
let time = START
const now = () => time

afterEach(() => {
  vi.useRealTimers()
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)
  const fixture = shared(async () => {
    if (database === 'postgres' && 'reason' in (await findPostgres())) return undefined as never
    const opened = await openTestToolkit({ database })
    // The clock of the first two is the test's, that of the others the database's.
    const [one, two] = [await opened.another({ now }), await opened.another({ now })]
    return { ...opened, processes: [one, two] as const, others: [opened.toolkit, await opened.another()] as const }
  })
  const row = async (name: string) => {
    const list = await fixture().processes[0].jobs.list(fixture().root)
    return list.find((job) => job.name === name)
  }

  describe('a lease', () => {
    test('belongs to one of many concurrent processes, until it ends or is released', async () => {
      const { processes } = fixture()
      const [{ leases }] = processes
      const race = (holders: string[]) =>
        Promise.all(holders.map((holder, at) => processes[at % 2]?.leases.acquire('scheduler', holder)))

      const first = await race(['a', 'b', 'c', 'd'])
      expect(first.filter(Boolean)).toHaveLength(1)
      const holder = await leases.find('scheduler')
      expect(holder).toBe(['a', 'b', 'c', 'd'][first.indexOf(true)])

      time += LEASE_TTL_S - 1
      expect(await leases.acquire('scheduler', 'other')).toBe(false)
      expect(await leases.acquire('scheduler', holder ?? '')).toBe(true)

      // It is not heard of again.
      time += LEASE_TTL_S
      expect(await leases.find('scheduler')).toBeUndefined()
      expect((await race(['e', 'f'])).filter(Boolean)).toHaveLength(1)
      expect(await leases.acquire('scheduler', holder ?? '')).toBe(false)

      const next = (await leases.find('scheduler')) ?? ''
      await leases.release('scheduler', holder ?? '')
      expect(await leases.find('scheduler')).toBe(next)
      await leases.release('scheduler', next)
      expect(await leases.acquire('scheduler', 'g')).toBe(true)
    })

    test('dated far ahead by a wrong clock is ignored', async () => {
      const { leases } = fixture().processes[0]
      time += 10_000
      expect(await leases.acquire('dated-ahead', 'ahead')).toBe(true)
      time -= 10_000
      expect(await leases.find('dated-ahead')).toBeUndefined()
      expect(await leases.acquire('dated-ahead', 'right')).toBe(true)
    })
  })

  test('is consistent for two processes with different clocks, because it uses the database clock', async () => {
    const [{ leases, jobs }, other] = fixture().others
    for (const skewS of [25, LEASE_TTL_S + 1, 3600, -3600]) {
      const [lease, run] = [`skewed-scheduler-${skewS}`, { name: `skewed-${skewS}`, everyS: 60 }]
      expect(await leases.acquire(lease, 'a')).toBe(true)
      expect(await jobs.begin({ ...run, holder: 'a' })).toBe('begun')

      vi.setSystemTime(Date.now() + skewS * 1000)
      expect(await other.leases.acquire(lease, 'b')).toBe(false)
      expect(await other.jobs.begin({ ...run, holder: 'b' })).toBe('running')
      expect(await jobs.renew({ ...run, holder: 'a' })).toBe(true)
      await jobs.end({ ...run, holder: 'a', outcome: 'done' })
      vi.setSystemTime(Date.now() + 60_000)
      expect(await other.jobs.due([run])).toEqual([])
      expect(await other.jobs.begin({ ...run, holder: 'b' })).toBe('early')
      vi.useRealTimers()
    }
  })

  describe('a run of a job', () => {
    test('starts once for each interval, even with several leaders', async () => {
      const { processes } = fixture()
      const begin = () =>
        Promise.all(
          ['a', 'b', 'c', 'd'].map((holder, at) =>
            processes[at % 2]?.jobs.begin({ name: 'sweep', holder: `${holder}${time}`, everyS: 60 }),
          ),
        )

      const first = await begin()
      expect(first.filter((answer) => answer === 'begun')).toHaveLength(1)
      expect(first.filter((answer) => answer === 'running')).toHaveLength(3)

      const holder = `${['a', 'b', 'c', 'd'][first.indexOf('begun')]}${time}`
      await processes[0].jobs.end({ name: 'sweep', holder, outcome: 'done' })
      time += 59
      expect(await begin()).toEqual(['early', 'early', 'early', 'early'])
      time += 1
      expect((await begin()).filter((answer) => answer === 'begun')).toHaveLength(1)
    })

    test('without heartbeats is considered dead, and can end nothing later', async () => {
      const { jobs } = fixture().processes[0]
      const run = (holder: string) => ({ name: 'poll', holder })
      expect(await jobs.begin({ ...run('asleep'), everyS: 1 })).toBe('begun')
      time += LEASE_TTL_S - 1
      expect(await jobs.begin({ ...run('next'), everyS: 1 })).toBe('running')
      time += 1
      expect(await jobs.begin({ ...run('next'), everyS: 1 })).toBe('begun')

      expect(await jobs.renew(run('asleep'))).toBe(false)
      await jobs.end({ ...run('asleep'), outcome: 'done: by the wrong one' })
      expect(await row('poll')).toMatchObject({ running: true, outcome: '' })
      await jobs.end({ ...run('next'), outcome: 'done: 3 polled' })
      expect(await row('poll')).toEqual({
        name: 'poll',
        every: 0,
        leader: '',
        running: false,
        started_at: time,
        finished_at: time,
        outcome: 'done: 3 polled',
      })
    })

    test('belongs to the process with the lease it is registered under', async () => {
      const { processes, root, user } = fixture()
      const [{ leases, jobs }] = processes
      await leases.acquire('lead', 'leader')
      await jobs.register('lead', [
        { name: 'test', everyS: 60 },
        { name: 'ask', everyS: 15 },
      ])
      await jobs.register('lead', [{ name: 'ask', everyS: 30 }])
      expect(await row('ask')).toMatchObject({ every: 30, leader: 'leader', started_at: 0 })
      expect(await row('test')).toMatchObject({ every: 0, leader: '' })
      const list = (await jobs.list(root)).map(({ name }) => name)
      expect(list).toEqual([...list].sort())
      await expect(jobs.list(await user())).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    })
  })
})

test('a run dated ahead by a wrong clock does not stop a job forever', () => {
  const at = { everyS: 60, now: START }
  expect(isDue(0, at)).toBe(true)
  expect(isDue(START - 60, at)).toBe(true)
  expect(isDue(START - 59, at)).toBe(false)
  expect(isDue(START + 5, at)).toBe(false)
  expect(isDue(START + 3600, at)).toBe(true)
})
