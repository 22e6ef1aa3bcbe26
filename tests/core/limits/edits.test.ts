import { expect, test } from 'vitest'
import { countedAddress } from '../../../core/limits/address.ts'
import type { NewLimit } from '../../../core/limits/limit.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { startedProcess } from '../../support/started-process.ts'
import { onBoth, type Person } from '../../support/toolkit.ts'

interface Caller {
  readonly user: Person
  readonly tokenId?: number
  readonly memberId?: number
  readonly address?: string
}

/** Returns how many of 100 requests fit into the limits. */
async function served(toolkit: LocalToolkit, { user, tokenId = 0, memberId = 0, address = '127.0.0.1' }: Caller) {
  const request = { token: { id: tokenId, memberId }, user, group: 'default', model: 'gpt-4o', address }
  const counters = toolkit.liveLimits.applicable?.countersOfCaller(request as never) ?? []
  const taken = await Promise.allSettled(
    Array.from({ length: 100 }, async () => toolkit.liveLimits.acquire(counters, { tokens: 1, quota: { quota: 1 } })),
  )
  return taken.filter(({ status }) => status === 'fulfilled').length
}

const DAILY = { measure: 'requests', period: 'day', time_zone: 'UTC' } as const
const ofToken = (id: number | '*', limit: Partial<NewLimit> = {}) =>
  ({ subject: 'token', subject_id: String(id), ...DAILY, amount: 5, ...limit }) as const

onBoth('a limit that users set for their own keys', (open) => {
  test('does not lift the default of an administrator, and applies besides it', async () => {
    const fixture = await open()
    const { limits } = fixture.toolkit
    const user = await fixture.user()
    const [one, other] = [await fixture.token(user), await fixture.token(user)]
    await limits.set(fixture.root, [ofToken('*', { amount: 5 })])
    await limits.set(user, [ofToken(one.id, { amount: 1000 }), ofToken(other.id, { amount: 2 })])
    const toolkit = await startedProcess(fixture)

    expect(await served(toolkit, { user, tokenId: one.id })).toBe(5)
    expect(await served(toolkit, { user, tokenId: other.id })).toBe(2)
    const amounts = (await limits.status(user, { subject: 'token', subject_id: String(one.id) })).map(
      ({ limit: { amount } }) => amount,
    )
    expect(amounts).toEqual([5, 1000])
  })

  test('is replaced by that of an administrator, which lifts the default', async () => {
    const fixture = await open()
    const { limits } = fixture.toolkit
    const user = await fixture.user()
    const { id } = await fixture.token(user)
    await limits.set(fixture.root, [ofToken('*', { amount: 5 })])
    await limits.set(user, [ofToken(id, { amount: 2 })])
    await limits.set(fixture.root, [ofToken(id, { amount: 20 })])
    const toolkit = await startedProcess(fixture)

    expect(await served(toolkit, { user, tokenId: id })).toBe(20)
    await expect(limits.set(user, [ofToken(id, { amount: 1000 })])).rejects.toMatchObject({ code: 'LIMIT_NOT_OWN' })
  })

  test('of a member does not lift the default for members', async () => {
    const fixture = await open()
    const { limits, teams } = fixture.toolkit
    const owner = await fixture.user()
    const team = await teams.create(owner, { name: 'Lyra' })
    const member = { subject: 'member', ...DAILY } as const
    await limits.set(fixture.root, [{ ...member, subject_id: '*', amount: 3 }])
    await limits.set(owner, [{ ...member, subject_id: `${team.id}/${owner.id}`, amount: 1000 }])
    const toolkit = await startedProcess(fixture)

    const caller = { user: { ...owner, id: team.id }, tokenId: 1, memberId: owner.id }
    expect(await served(toolkit, caller)).toBe(3)
  })

  test('mails nothing to root', async () => {
    const fixture = await open()
    const user = await fixture.user()
    const { id } = await fixture.token(user)

    await expect(fixture.toolkit.limits.set(user, [ofToken(id, { action: 'notify' })])).rejects.toMatchObject({
      code: 'LIMIT_NOTIFY',
    })
  })
})

onBoth('another time zone of a limit', (open) => {
  test.each([
    ['UTC', 'Asia/Tokyo'],
    ['America/Los_Angeles', 'Pacific/Auckland'],
    ['UTC', ''],
    ['', 'Asia/Kolkata'],
  ])('keeps what was used: from "%s" to "%s"', async (from, to) => {
    const fixture = await open()
    const { limits } = fixture.toolkit
    const user = await fixture.user()
    const { id } = await fixture.token(user)
    await limits.set(user, [ofToken(id, { amount: 40, time_zone: from })])
    const toolkit = await startedProcess(fixture)
    expect(await served(toolkit, { user, tokenId: id })).toBe(40)

    await limits.set(user, [ofToken(id, { amount: 60, time_zone: to })])
    await toolkit.events.catchUp()

    expect(await limits.status(user, { subject: 'token' })).toMatchObject([{ used: 40, remaining: 20 }])
    expect(await served(toolkit, { user, tokenId: id })).toBe(20)
  })
})

onBoth('a limit of an address', (open) => {
  test.each([
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::0001', '2001:db8::1'],
    ['2001:db8::/64', '2001:db8:0:0:ffff::9'],
  ])('of %s counts requests of %s', async (subject_id, address) => {
    const fixture = await open()
    const user = await fixture.user()
    await fixture.toolkit.limits.set(fixture.root, [{ subject: 'address', subject_id, ...DAILY, amount: 3 }])
    const toolkit = await startedProcess(fixture)

    expect(await served(toolkit, { user, address })).toBe(3)
    expect(await fixture.toolkit.limits.status(fixture.root)).toMatchObject([{ used: 3, remaining: 0 }])
  })

  test('that an earlier version stored as it was written counts, too', async () => {
    const fixture = await open()
    const user = await fixture.user()
    const { limits, db } = fixture.toolkit
    await limits.set(fixture.root, [{ subject: 'address', subject_id: '::1', ...DAILY, amount: 3 }])
    await db.transaction((trx) => trx('limits').update({ subject_id: '0:0:0:0:0:0:0:1' }))
    const toolkit = await startedProcess(fixture)

    expect(await served(toolkit, { user, address: '::1' })).toBe(3)
    expect(await limits.status(fixture.root)).toMatchObject([{ used: 3 }])
  })

  test('as a default counts all addresses of a /64 together', async () => {
    const fixture = await open()
    const user = await fixture.user()
    await fixture.toolkit.limits.set(fixture.root, [{ subject: 'address', subject_id: '*', ...DAILY, amount: 3 }])
    const toolkit = await startedProcess(fixture)

    expect(await served(toolkit, { user, address: '2001:db8::1' })).toBe(3)
    expect(await served(toolkit, { user, address: '2001:db8::2' })).toBe(0)
    expect(await served(toolkit, { user, address: '2001:db8:0:1::1' })).toBe(3)
  })
})

test.each(['here', '10.0.0.0/8', '01.2.3.4', '1.2.3', '2001:db8::/32', '::ffff:1.2.3.4/64', ''])(
  '%j is not an address',
  (text) => {
    expect(countedAddress(text)).toBeUndefined()
  },
)
