import { expect, test } from 'vitest'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { expectNothingHeld } from '../support/books.ts'
import { bill, onBoth, type Person } from '../support/toolkit.ts'

const WORKERS = 8
const EACH = 10
const PLENTY = 1_000_000_000
/** A second until the edit is in force everywhere, and time to spend what it left. */
const USED_UP_MS = 3000

/** Relays one after the other, by many at once, until the budget is used up. */
function relayUntilRefused({ ledger }: LocalToolkit, person: Person, tokenId: number) {
  let relays = 0
  const worker = async () => {
    for (;;) {
      try {
        const hold = await ledger.hold({ userId: person.id, budgetTokenId: tokenId, quota: EACH })
        await ledger.settle(hold, bill(person, { quota: EACH, tokenId }))
        relays++
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'INSUFFICIENT_TOKEN_QUOTA') return
        throw error
      }
    }
  }
  return { done: Promise.all(Array.from({ length: WORKERS }, worker)), count: () => relays }
}

onBoth('a budget', (open) => {
  test('that is lowered under load applies within a second, in every process', { retry: 2 }, async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const other = await fixture.another()
    for (const each of [toolkit, other]) await each.events.follow()
    const person = await fixture.user({ quota: PLENTY })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: PLENTY })
    const loads = [toolkit, other].map((each) => relayUntilRefused(each, person, id))
    await expect.poll(() => Math.min(...loads.map(({ count }) => count())), { timeout: 10_000 }).toBeGreaterThan(50)

    await toolkit.tokens.update(person, id, { remain_quota: 100 * EACH })
    const before = loads.reduce((sum, { count }) => sum + count(), 0)
    const editedAt = Date.now()
    await Promise.all(loads.map(({ done }) => done))

    const spent = (loads.reduce((sum, { count }) => sum + count(), 0) - before) * EACH
    expect(spent).toBeGreaterThan(0)
    // A process that has not received the change keeps spending briefly, from a reserve that is thousands of times as much.
    expect(Date.now() - editedAt).toBeLessThan(USED_UP_MS)
    await expectNothingHeld(fixture)
    // Requests before the other process had returned its reserve were rejected early: the rest serves later requests.
    const rest = relayUntilRefused(toolkit, person, id)
    await rest.done
    loads.push(rest)
    await expectNothingHeld(fixture)
    const { remain_quota, used_quota } = await toolkit.tokens.get(person, id)
    expect(remain_quota).toBeLessThan(EACH)
    expect(remain_quota).toBeGreaterThan(-PLENTY / 1000)
    expect(used_quota).toBe(loads.reduce((sum, { count }) => sum + count(), 0) * EACH)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('that is lowered below the held amount keeps running relays, and grants nothing to new ones', async () => {
    const fixture = await open()
    const { ledger, tokens } = fixture.toolkit
    const person = await fixture.user({ quota: PLENTY })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: PLENTY })
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: id, quota })
    const running = await hold(500)

    await tokens.update(person, id, { remain_quota: 400 })

    await expect(hold(1)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKEN_QUOTA' })
    await ledger.settle(running, bill(person, { quota: 450, tokenId: id }))
    expect(await tokens.get(person, id)).toMatchObject({ remain_quota: -50, used_quota: 450 })
    await tokens.update(person, id, { remain_quota: 30 })
    expect((await hold(30)).quota).toBe(30)
    await expect(hold(1)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKEN_QUOTA' })
  })

  test('that is edited during relay charges keeps every later charge', async () => {
    const fixture = await open()
    const { ledger, tokens } = fixture.toolkit
    const person = await fixture.user({ quota: PLENTY })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 5000 })
    const relay = async () => {
      const hold = await ledger.hold({ userId: person.id, budgetTokenId: id, quota: EACH })
      await ledger.settle(hold, bill(person, { quota: EACH, tokenId: id }))
    }

    for (let round = 0; round < 5; round++) {
      const relays = Array.from({ length: 20 }, relay)
      await tokens.update(person, id, { remain_quota: 5000 })
      await Promise.all(relays)
      const { remain_quota } = await tokens.get(person, id)
      expect(remain_quota).toBeGreaterThanOrEqual(5000 - 20 * EACH)
      expect(remain_quota).toBeLessThanOrEqual(5000)
      expect(remain_quota % EACH).toBe(0)
    }
    expect(await tokens.get(person, id)).toMatchObject({ used_quota: 5 * 20 * EACH })
  })
})
