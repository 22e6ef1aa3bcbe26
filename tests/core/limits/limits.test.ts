import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { LimitHold } from '../../../core/limits/acquire.ts'
import type { NewLimit } from '../../../core/limits/limit.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { releaseAllDead } from '../../support/dead.ts'
import { startedProcess } from '../../support/started-process.ts'
import { onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

const ANY = { token: { id: 0, memberId: 0 }, group: 'default', model: 'gpt-4o', address: '127.0.0.1' } as const

/** Takes what a request of that user needs. */
async function take(toolkit: LocalToolkit, user: Person, use: { tokens?: number; quota?: number } = {}) {
  const counters = toolkit.liveLimits.applicable?.countersOfCaller({ ...ANY, user } as never) ?? []
  const { tokens = 1, quota = 1 } = use
  return toolkit.liveLimits.acquire(counters, { tokens, quota: { quota } })
}

async function many(toolkit: LocalToolkit, user: Person, count: number, use = {}): Promise<LimitHold[]> {
  const taken = await Promise.allSettled(Array.from({ length: count }, () => take(toolkit, user, use)))
  for (const each of taken) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'LIMIT_REACHED' })
  }
  return taken.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
}

const setFor = (fixture: TestToolkit, user: Person, ...limits: Omit<NewLimit, 'subject' | 'subject_id'>[]) =>
  fixture.toolkit.limits.set(
    fixture.root,
    limits.map((limit) => ({ subject: 'user', subject_id: String(user.id), ...limit })),
  )

onBoth('limits of several processes', (open) => {
  test.each(['', 'Asia/Shanghai'])('three processes share 100 requests of a day (%s) exactly', async (time_zone) => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'requests', period: 'day', amount: 100, time_zone })
    const processes = [await startedProcess(fixture), await startedProcess(fixture), await startedProcess(fixture)]

    const taken = await Promise.all(processes.map((toolkit) => many(toolkit, user, 80)))

    expect(taken.flat()).toHaveLength(100)
    const [status] = await fixture.toolkit.limits.status(user)
    expect(status).toMatchObject({ used: 100, remaining: 0 })
  })

  test('the prefetched part of a large limit never exceeds the limit, and is returned when idle', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'requests', period: 'day', amount: 5000, time_zone: 'UTC' })
    const processes = [await startedProcess(fixture), await startedProcess(fixture)]

    let served = 0
    for (let round = 0; round < 30; round++) {
      for (const toolkit of processes) served += (await many(toolkit, user, 60)).length
    }
    expect(served).toBe(3600)
    await expect.poll(async () => (await fixture.toolkit.limits.status(user))[0]?.used, { timeout: 5000 }).toBe(3600)
    const rest = await Promise.all(processes.map((toolkit) => many(toolkit, user, 1000)))

    expect(rest.flat()).toHaveLength(1400)
  })

  test('shares of next parts of a window count once, and in no other window', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(
      fixture,
      user,
      { measure: 'requests', period: 'minute', amount: 2_000_000 },
      { measure: 'requests', period: 'second', amount: 2_000_000 },
      { measure: 'tokens', period: 'minute', amount: 20_000_000 },
    )
    const processes = [await startedProcess(fixture), await startedProcess(fixture)]

    let served = 0
    const endsAtMs = performance.now() + 2500
    while (performance.now() < endsAtMs) {
      for (const toolkit of processes) {
        const holds = await many(toolkit, user, 20, { tokens: 3 })
        served += holds.length
        for (const hold of holds) {
          hold.reportUsage({ tokens: 2, quota: 0 })
          hold.end()
        }
      }
      await sleep(5)
    }

    const usedOf = async () => {
      const status = await fixture.toolkit.limits.status(user)
      const of = (measure: string) =>
        status.find(({ limit }) => limit.measure === measure && limit.period === 'minute')?.used
      return { requests: of('requests'), tokens: of('tokens') }
    }
    await expect.poll(usedOf, { timeout: 5000 }).toEqual({ requests: served, tokens: 2 * served })
  })

  test('a request near the limit gets the share of its process and the rest of the row', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'tokens', period: 'day', amount: 10_000, time_zone: 'UTC' })
    const [first, second] = [await startedProcess(fixture), await startedProcess(fixture)]
    for (let round = 0; round < 5; round++) await many(first, user, 20)
    await take(second, user, { tokens: 9500 })
    const large = async () => (await many(first, user, 1, { tokens: 400 })).length

    // It has taken at most 312 in advance, and the row alone has less than 400 left.
    await expect.poll(large, { timeout: 1000 }).toBe(1)
  })

  test('a process that ends gives back all shares', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'requests', period: 'minute', amount: 1_000_000 })
    const toolkit = await startedProcess(fixture)
    let served = 0
    const endsAtMs = performance.now() + 1200
    while (performance.now() < endsAtMs) {
      served += (await many(toolkit, user, 20)).length
      await sleep(2)
    }
    await toolkit.liveLimits.close()

    const [status] = await fixture.toolkit.limits.status(user)
    expect(status).toMatchObject({ used: served })
  })

  test('tokens are counted by estimate and corrected after the request', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'tokens', period: 'day', amount: 1000, time_zone: 'UTC' })
    const toolkit = await startedProcess(fixture)

    const first = await take(toolkit, user, { tokens: 900 })
    await expect(take(toolkit, user, { tokens: 200 })).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
    first.reportUsage({ tokens: 100, quota: 0 })
    first.end()

    expect(await many(toolkit, user, 20, { tokens: 100 })).toHaveLength(9)
  })

  test('more tokens than estimated count against the next request', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'tokens', period: 'day', amount: 1000, time_zone: 'UTC' })
    const toolkit = await startedProcess(fixture)

    const first = await take(toolkit, user, { tokens: 100 })
    first.reportUsage({ tokens: 950, quota: 0 })
    first.end()

    expect(await many(toolkit, user, 2, { tokens: 100 })).toHaveLength(0)
    await expect.poll(async () => (await fixture.toolkit.limits.status(user))[0]?.used).toBe(950)
  })

  test('a quota window grants no more than it has, also for flexible requests', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'quota', period: 'day', amount: 1000, time_zone: 'UTC' })
    const toolkit = await startedProcess(fixture)
    const counters = toolkit.liveLimits.applicable?.countersOfCaller({ ...ANY, user } as never) ?? []
    const flexible = { fixed: 10, unit: 1, outputQuotaMin: 50, fraction: 0.5 }
    const wants = { tokens: 1, quota: { quota: 100_000, flexible } }

    const first = await toolkit.liveLimits.acquire(counters, wants)
    const second = await toolkit.liveLimits.acquire(counters, wants)

    expect(first.quotaGranted).toBe(10 + 495)
    expect(first.quotaGranted + second.quotaGranted).toBeLessThanOrEqual(1000)
    await expect(take(toolkit, user, { quota: 1001 })).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  test('a stream that exceeds its hold takes more of the window, up to the limit', async () => {
    const fixture = await open()
    const user = await fixture.user({ quota: 10_000 })
    await setFor(fixture, user, { measure: 'quota', period: 'day', amount: 1000, time_zone: 'UTC' })
    const toolkit = await startedProcess(fixture)
    const hold = await toolkit.ledger.hold({ userId: user.id, budgetTokenId: 0, quota: 100 })
    hold.limits = [await take(toolkit, user, { quota: 100 })]

    await toolkit.ledger.extend(hold, 800)
    await expect(toolkit.ledger.extend(hold, 200)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(hold.quota).toBe(900)
    toolkit.ledger.release(hold)

    expect(await many(toolkit, user, 2, { quota: 400 })).toHaveLength(2)
  })

  test('concurrency is released when a request ends, in every process', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'concurrent', period: 'none', amount: 5 })
    const [here, there] = [await startedProcess(fixture), await startedProcess(fixture)]

    const open5 = await many(here, user, 10)
    expect(open5).toHaveLength(5)
    expect(await many(there, user, 2)).toHaveLength(0)
    for (const hold of open5) hold.end()

    await expect.poll(async () => (await many(there, user, 1)).length, { timeout: 5000 }).toBe(1)
    expect(await many(there, user, 10)).toHaveLength(4)
  })

  test('the concurrency of a dead process is released', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'concurrent', period: 'none', amount: 5 })
    const dead = await startedProcess(fixture)
    expect(await many(dead, user, 10)).toHaveLength(5)

    const later = await releaseAllDead(fixture)

    expect(await later.db.reader('limit_shares').select('*')).toEqual([])
    expect((await later.limits.status(user))[0]).toMatchObject({ used: 0 })
  })

  test('a lowered limit applies immediately, and prefetched parts are returned', async () => {
    const fixture = await open()
    const user = await fixture.user()
    const limit = { measure: 'requests', period: 'day', time_zone: 'UTC' } as const
    await setFor(fixture, user, { ...limit, amount: 100_000 })
    const toolkit = await startedProcess(fixture)
    await many(toolkit, user, 50)
    for (let round = 0; round < 5; round++) await many(toolkit, user, 10)

    await setFor(fixture, user, { ...limit, amount: 110 })
    await toolkit.events.catchUp()

    expect(await many(toolkit, user, 100)).toHaveLength(10)
  })

  test('a notify-only limit rejects nothing, keeps counting, and notifies once per window', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'requests', period: 'day', amount: 3, time_zone: 'UTC', action: 'notify' })
    const [here, there] = [await startedProcess(fixture), await startedProcess(fixture)]
    const notifications: unknown[] = []
    for (const toolkit of [here, there]) toolkit.liveLimits.onExcess(({ subjectId }) => notifications.push(subjectId))

    expect(await many(here, user, 5)).toHaveLength(5)
    expect(await many(there, user, 5)).toHaveLength(5)

    expect(notifications).toEqual([String(user.id)])
    expect((await fixture.toolkit.limits.status(user))[0]).toMatchObject({ used: 10, remaining: 0 })
  })

  test('a notify-only limit of concurrency rejects nothing, and notifies once per hour', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'concurrent', period: 'none', amount: 3, action: 'notify' })
    const notifications: unknown[] = []
    const processes = [await startedProcess(fixture), await startedProcess(fixture)]
    for (const { liveLimits } of processes) liveLimits.onExcess(({ subjectId }) => notifications.push(subjectId))

    for (const toolkit of processes) expect(await many(toolkit, user, 3)).toHaveLength(3)
    expect(notifications).toEqual([String(user.id)])

    const { db } = fixture.toolkit
    await db.transaction((trx) => trx('limit_windows').decrement('notified_at', 3_600_000))
    for (const toolkit of processes) expect(await many(toolkit, user, 3)).toHaveLength(3)
    expect(notifications).toEqual([String(user.id), String(user.id)])
  })

  test('a rolling second grants its amount again after it ends', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await setFor(fixture, user, { measure: 'requests', period: 'second', amount: 10 })
    const toolkit = await startedProcess(fixture)

    const taken: number[] = []
    const until = performance.now() + 3300
    while (performance.now() < until) {
      for (const _ of await many(toolkit, user, 3)) taken.push(performance.now())
      await sleep(20)
    }

    expect(taken.length).toBeGreaterThanOrEqual(30)
    // In no second more than ten.
    expect(taken.every((at, index) => (taken[index + 10] ?? Number.POSITIVE_INFINITY) - at > 950)).toBe(true)
  }, 20_000)
})

test('counts of ended windows, and limits of a deleted token, are removed', async () => {
  const { openTestToolkit } = await import('../../support/toolkit.ts')
  const fixture = await openTestToolkit()
  const user = await fixture.user()
  const token = await fixture.token(user)
  await setFor(fixture, user, { measure: 'requests', period: 'day', amount: 10, time_zone: 'UTC' })
  const ofToken = { subject: 'token', subject_id: String(token.id), measure: 'requests', amount: 5 } as const
  await fixture.toolkit.limits.set(fixture.root, [{ ...ofToken, period: 'minute' }])
  const toolkit = await startedProcess(fixture)
  await many(toolkit, user, 1)
  const { db, limits, tokens } = fixture.toolkit
  const old = { taken: '[]', updated_at: 1000 }
  const [daily] = await limits.list(fixture.root, { subject: 'user' })
  await db.transaction((trx) => trx('limit_windows').insert({ ...old, limit_id: daily?.id, subject_id: 'old' }))

  expect(await limits.removeOldWindows()).toBe(1)
  await tokens.delete(user, token.id)

  expect(await db.reader('limit_windows').pluck('subject_id')).toEqual([String(user.id)])
  expect(await limits.list(fixture.root, { subject: 'token' })).toEqual([])
})

test('limits of keys that a revocation deletes are removed', async () => {
  const { openTestToolkit } = await import('../../support/toolkit.ts')
  const fixture = await openTestToolkit()
  const [user, other] = [await fixture.user(), await fixture.user()]
  for (const owner of [user, other]) {
    const { id } = await fixture.token(owner)
    const limit = {
      subject: 'token',
      subject_id: String(id),
      measure: 'requests',
      period: 'minute',
      amount: 5,
    } as const
    await fixture.toolkit.limits.set(fixture.root, [limit])
  }
  const { accounts, limits } = fixture.toolkit

  await accounts.update(fixture.root, { id: user.id, password: 'another password', revoke_keys: true })

  expect(await limits.list(fixture.root, { subject: 'token' })).toHaveLength(1)
})

describe('without the database', () => {
  test('rates are not limited and quota is rejected, unless the options say otherwise', async () => {
    const { openTestToolkit } = await import('../../support/toolkit.ts')
    const fixture = await openTestToolkit()
    const [rated, budgeted] = [await fixture.user(), await fixture.user()]
    await setFor(fixture, rated, { measure: 'requests', period: 'day', amount: 10, time_zone: 'UTC' })
    await setFor(fixture, budgeted, { measure: 'quota', period: 'day', amount: 10, time_zone: 'UTC' })
    const toolkit = await startedProcess(fixture)
    const { transaction } = toolkit.db
    const away = Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' })
    Object.assign(toolkit.db, { transaction: () => Promise.reject(away) })

    await expect(take(toolkit, rated)).resolves.toBeDefined()
    await expect(take(toolkit, budgeted)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    Object.assign(toolkit.db, { transaction })
    await expect.poll(async () => (await fixture.toolkit.limits.status(rated))[0]?.used, { timeout: 5000 }).toBe(1)
  })
})

onBoth('limits of channels', (open) => {
  test.each(['delete', 'deleteMany', 'deleteDisabled'] as const)('go with a channel that %s removes', async (way) => {
    const { toolkit, root } = await open()
    const { channels, limits } = toolkit
    const [gone, kept] = await Promise.all(
      ['gone', 'kept'].map((name) =>
        channels.create(root, {
          ...{ name, type: 1, key: 'sk-a\nsk-b', models: 'gpt-4o', setting: '{"multi_key_mode":"random"}' },
        }),
      ),
    )
    const window = { measure: 'requests', period: 'hour', amount: 9 } as const
    await limits.set(root, [
      { subject: 'channel', subject_id: String(gone?.id), ...window },
      { subject: 'channel-key', subject_id: `${gone?.id}/1`, ...window },
      { subject: 'channel-key', subject_id: `${kept?.id}/2`, ...window },
    ])

    const id = gone?.id ?? 0
    if (way === 'delete') await channels.delete(root, id)
    if (way === 'deleteMany') await channels.deleteMany(root, [id])
    if (way === 'deleteDisabled') {
      await channels.setStatus(root, id, 2)
      await channels.deleteDisabled(root)
    }

    expect(await limits.list(root)).toMatchObject([{ subject: 'channel-key' }])
    expect((await limits.list(root))[0]?.subject_id).toMatch(new RegExp(`^${kept?.id}/`))
  })
})
