import { expect, test } from 'vitest'
import { isDue } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S } from '../../core/jobs/leases.ts'
import { onBoth } from '../support/toolkit.ts'

const START = 1_800_000_000

onBoth('a lease', (open) => {
  test('is one process’s of many that race for it, until it ends or is given up', async () => {
    let time = START
    const now = () => time
    const { toolkit, another } = await open({ now })
    const processes = [toolkit, await another({ now })]
    const race = (holders: string[]) =>
      Promise.all(holders.map((holder, at) => processes[at % 2]?.leases.take('scheduler', holder)))

    const first = await race(['a', 'b', 'c', 'd'])
    expect(first.filter(Boolean)).toHaveLength(1)
    const holder = await toolkit.leases.find('scheduler')
    expect(holder).toBe(['a', 'b', 'c', 'd'][first.indexOf(true)])

    time += LEASE_TTL_S - 1
    expect(await toolkit.leases.take('scheduler', 'other')).toBe(false)
    expect(await toolkit.leases.take('scheduler', holder ?? '')).toBe(true)

    // It is not heard of again.
    time += LEASE_TTL_S
    expect(await toolkit.leases.find('scheduler')).toBeUndefined()
    expect((await race(['e', 'f'])).filter(Boolean)).toHaveLength(1)
    expect(await toolkit.leases.take('scheduler', holder ?? '')).toBe(false)

    const next = (await toolkit.leases.find('scheduler')) ?? ''
    await toolkit.leases.giveUp('scheduler', holder ?? '')
    expect(await toolkit.leases.find('scheduler')).toBe(next)
    await toolkit.leases.giveUp('scheduler', next)
    expect(await toolkit.leases.take('scheduler', 'g')).toBe(true)
  })

  test('that a clock which is wrong dated far ahead is not believed', async () => {
    let time = START + 10_000
    const { toolkit } = await open({ now: () => time })
    expect(await toolkit.leases.take('scheduler', 'ahead')).toBe(true)
    time = START
    expect(await toolkit.leases.find('scheduler')).toBeUndefined()
    expect(await toolkit.leases.take('scheduler', 'right')).toBe(true)
  })
})

onBoth('a run of a job', (open) => {
  test('is begun once, however many think that they lead, and once for each turn', async () => {
    let time = START
    const now = () => time
    const { toolkit, another } = await open({ now })
    const processes = [toolkit, await another({ now })]
    const begin = () =>
      Promise.all(
        ['a', 'b', 'c', 'd'].map((holder, at) =>
          processes[at % 2]?.jobs.begin({ name: 'poll', holder: `${holder}${time}`, everyS: 60 }),
        ),
      )

    const first = await begin()
    expect(first.filter((answer) => answer === 'begun')).toHaveLength(1)
    expect(first.filter((answer) => answer === 'running')).toHaveLength(3)

    const holder = `${['a', 'b', 'c', 'd'][first.indexOf('begun')]}${START}`
    await toolkit.jobs.end({ name: 'poll', holder, outcome: 'done' })
    time += 59
    expect(await begin()).toEqual(['early', 'early', 'early', 'early'])
    time += 1
    expect((await begin()).filter((answer) => answer === 'begun')).toHaveLength(1)
  })

  test('that is not heard of is taken for dead, and can end nothing any more', async () => {
    let time = START
    const { toolkit, root } = await open({ now: () => time })
    const run = (holder: string) => ({ name: 'poll', holder })
    expect(await toolkit.jobs.begin({ ...run('asleep'), everyS: 1 })).toBe('begun')
    time += LEASE_TTL_S - 1
    expect(await toolkit.jobs.begin({ ...run('next'), everyS: 1 })).toBe('running')
    time += 1
    expect(await toolkit.jobs.begin({ ...run('next'), everyS: 1 })).toBe('begun')

    expect(await toolkit.jobs.renew(run('asleep'))).toBe(false)
    await toolkit.jobs.end({ ...run('asleep'), outcome: 'done: by the wrong one' })
    expect(await toolkit.jobs.list(root)).toMatchObject([{ name: 'poll', running: true, outcome: '' }])
    await toolkit.jobs.end({ ...run('next'), outcome: 'done: 3 polled' })
    expect(await toolkit.jobs.list(root)).toEqual([
      {
        name: 'poll',
        every: 0,
        leader: '',
        running: false,
        started_at: time,
        finished_at: time,
        outcome: 'done: 3 polled',
      },
    ])
  })

  test('belongs to whoever holds the lease that it is registered under', async () => {
    const { toolkit, root, user } = await open()
    await toolkit.leases.take('scheduler', 'leader')
    await toolkit.jobs.register('scheduler', [
      { name: 'test', everyS: 60 },
      { name: 'poll', everyS: 15 },
    ])
    await toolkit.jobs.register('scheduler', [{ name: 'poll', everyS: 30 }])
    expect(await toolkit.jobs.list(root)).toMatchObject([
      { name: 'poll', every: 30, leader: 'leader', started_at: 0 },
      { name: 'test', every: 0, leader: '' },
    ])
    await expect(toolkit.jobs.list(await user())).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})

test('a turn that a wrong clock dated ahead does not stop a job for ever', () => {
  const at = { everyS: 60, now: START }
  expect(isDue(0, at)).toBe(true)
  expect(isDue(START - 60, at)).toBe(true)
  expect(isDue(START - 59, at)).toBe(false)
  expect(isDue(START + 5, at)).toBe(false)
  expect(isDue(START + 3600, at)).toBe(true)
})
