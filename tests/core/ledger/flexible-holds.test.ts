import { describe, expect, test } from 'vitest'
import { reservation } from '../../../core/ledger/accounts.ts'
import { grantOf, type Want } from '../../../core/ledger/want.ts'
import { bill, onBoth } from '../../support/toolkit.ts'

/** A prompt of 10 quota, and output at 2 quota a token: 20 tokens at least, a quarter of the balance at most. */
const flexible = { fixed: 10, unit: 2, outputQuotaMin: 40, fraction: 0.25 }
const WANT: Want = { quota: 1010, flexible }

describe('flexible holds', () => {
  test.each([
    { what: 'all of it, of an ample balance', room: 100_000, waiting: 1, granted: 1010 },
    { what: 'its share for the output', room: 1010, waiting: 1, granted: 10 + 250 },
    { what: 'the least, where its share is less', room: 110, waiting: 1, granted: 50 },
    { what: 'what is left, where that is less than the least', room: 30, waiting: 1, granted: 30 },
    { what: 'the price of one token', room: 12, waiting: 1, granted: 12 },
    { what: 'nothing, where not even one token is covered', room: 11, waiting: 1, granted: undefined },
    { what: 'an equal part, where others wait', room: 1010, waiting: 10, granted: 101 },
  ])('$what', ({ room, waiting, granted }) => expect(grantOf(WANT, { room, waiting })).toBe(granted))

  test('never exceed the free quota when several wait, and small ones are not starved', () => {
    const wants = Array.from({ length: 30 }, () => WANT)
    const { granted, grants } = reservation({ spare: 0, wants, free: 1500 })
    const given = grants.filter((grant) => grant !== undefined)
    expect(given).toHaveLength(30)
    expect(given.every((grant) => grant >= 12)).toBe(true)
    expect(granted).toBe(given.reduce((sum, grant) => sum + grant))
    expect(granted).toBeLessThanOrEqual(1500)
  })
})

onBoth('a hold that can be smaller', (open) => {
  test('take their share of the free quota at that moment', async () => {
    const { toolkit, ...fixture } = await open()
    const person = await fixture.user({ quota: 4010 })
    const hold = () => toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, ...WANT })

    const first = await hold()
    const second = await hold()

    expect(first.quota).toBe(10 + 1000)
    expect(second.quota).toBe(10 + Math.floor((4010 - 1010 - 10) / 4))
  })

  test('are the minimum of balance and key budget', async () => {
    const { toolkit, ...fixture } = await open()
    const person = await fixture.user({ quota: 1_000_000 })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 410 })

    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: id, ...WANT })

    expect(hold.quota).toBe(10 + 100)
    await toolkit.ledger.settle(hold, bill(person, { quota: 60 }))
    const rest = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1_000_000 - 60 })
    expect(rest.quota).toBe(1_000_000 - 60)
  })

  test('never exceed the balance with 100 concurrent requests, which get small parts rather than nothing', async () => {
    const { toolkit, ...fixture } = await open()
    const person = await fixture.user({ quota: 3000 })
    const holds = await Promise.allSettled(
      Array.from({ length: 100 }, () => toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, ...WANT })),
    )

    const granted = holds.flatMap((result) => (result.status === 'fulfilled' ? [result.value.quota] : []))
    const refused = holds.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(granted.reduce((sum, quota) => sum + quota)).toBeLessThanOrEqual(3000)
    expect(granted.length).toBeGreaterThanOrEqual(40)
    expect(new Set(refused)).toEqual(new Set(refused.length ? ['INSUFFICIENT_QUOTA'] : []))
  })
})

onBoth('a debt limit', (open) => {
  test('allows holds down to the negative limit, and no further', async () => {
    const { toolkit, root, ...fixture } = await open()
    const person = await fixture.user({ quota: 100 })
    const { ledger } = toolkit
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
    await expect(hold(101)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    await toolkit.accounts.update(root, { id: person.id, debt_limit: 50 })

    await expect(hold(151)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA', params: { available: 150 } })
    await ledger.settle(await hold(150), bill(person, { quota: 150 }))
    expect((await toolkit.accounts.get(root, person.id)).quota).toBe(-50)
    await expect(hold(1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect((await ledger.verify()).equal).toBe(true)
  })

  test('of a group applies to each of its users, unless a user has a higher one', async () => {
    const { toolkit, root, ...fixture } = await open()
    const person = await fixture.user({ quota: 0, group: 'vip' })
    const other = await fixture.user({ quota: 0 })
    const hold = (userId: number, quota: number) => toolkit.ledger.hold({ userId, budgetTokenId: 0, quota })

    await toolkit.options.set(root, 'GroupDebtLimit', '{"vip": 30}')

    expect((await hold(person.id, 30)).quota).toBe(30)
    await expect(hold(person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    await expect(hold(other.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    await toolkit.accounts.update(root, { id: person.id, debt_limit: 40 })
    expect((await hold(person.id, 10)).quota).toBe(10)
  })

  test('of a group is not granted again to each team of its users', async () => {
    const { toolkit, root, ...fixture } = await open()
    const person = await fixture.user({ quota: 0, group: 'vip' })
    await toolkit.options.set(root, 'GroupDebtLimit', '{"vip": 30}')
    const team = await toolkit.teams.create(person, { name: `Team ${person.username}` })

    const hold = toolkit.ledger.hold({ userId: team.id, budgetTokenId: 0, quota: 1 })

    await expect(hold).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
  })

  test('is set by administrators only, never below zero, and its change is logged', async () => {
    const { toolkit, root, ...fixture } = await open()
    const person = await fixture.user({ quota: 0 })

    await expect(toolkit.accounts.update(person, { id: person.id, debt_limit: 5 })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    await expect(toolkit.accounts.update(root, { id: person.id, debt_limit: -1 })).rejects.toThrow()
    await toolkit.accounts.update(root, { id: person.id, debt_limit: 500_000 })

    expect((await toolkit.accounts.get(root, person.id)).debt_limit).toBe(500_000)
    const { content } = await toolkit.db
      .reader('logs')
      .where({ user_id: person.id })
      .orderBy('id', 'desc')
      .first('content')
    expect(content).toContain('1.000000')
  })
})
