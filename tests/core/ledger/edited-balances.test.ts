import { expect, test } from 'vitest'
import type { Want } from '../../../core/ledger/want.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { breakTransactions } from '../../support/broken-transactions.ts'
import { bill, onBoth } from '../../support/toolkit.ts'

/** Gets a quarter of a small balance. */
const FLEXIBLE: Want = { quota: 100_000, flexible: { fixed: 10, unit: 2, outputQuotaMin: 40, fraction: 0.25 } }

const hold = ({ ledger }: LocalToolkit, userId: number, want: Want) =>
  ledger.hold({ userId, budgetTokenId: 0, ...want })

/** Does something between the next COMMIT of a process and its reply. */
function afterNextCommit({ db }: LocalToolkit, act: () => Promise<void>): void {
  const { transaction } = db
  Object.assign(db, {
    async transaction(work: Parameters<typeof transaction>[0]) {
      Object.assign(db, { transaction })
      const result = await transaction(work)
      await act()
      return result
    },
  })
}

onBoth('a balance that another process lowers', (open) => {
  test('covers no hold of what was reserved of it before', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1_000_000 })
    const other = await fixture.another()
    toolkit.ledger.release(await hold(toolkit, person.id, { quota: 10 }))

    await other.accounts.setQuota(root, person.id, 0)

    await expect(hold(toolkit, person.id, FLEXIBLE)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('does not pay with the rest of a hold that was being taken', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    const other = await fixture.another()
    await toolkit.ledger.start()
    let reconsidering: Promise<void> | undefined
    afterNextCommit(toolkit, async () => {
      await other.accounts.setQuota(root, person.id, 0)
      reconsidering = toolkit.ledger.giveBackReserves('user', [person.id])
    })

    const taken = await hold(toolkit, person.id, FLEXIBLE)
    await reconsidering
    expect(taken.quota).toBeGreaterThan(200)
    await toolkit.ledger.settle(taken, bill(person, { quota: 30 }))

    await expect(hold(toolkit, person.id, { quota: 50 })).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await fixture.balance(person)).toBe(-30)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('does not pay with holds that were open and end at the same time', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    const other = await fixture.another()
    const taken = [await hold(toolkit, person.id, { quota: 300 }), await hold(toolkit, person.id, { quota: 300 })]
    await other.accounts.setQuota(root, person.id, 0)
    await toolkit.ledger.giveBackReserves('user', [person.id])

    for (const each of taken) toolkit.ledger.release(each)

    await expect(hold(toolkit, person.id, { quota: 200 })).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
  })

  test('does not pay with a reserve whose write had an unknown outcome', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    const other = await fixture.another()
    const taken = await hold(toolkit, person.id, { quota: 300 })
    const broken = breakTransactions(toolkit)
    broken.mode = 'after'
    await expect(hold(toolkit, person.id, { quota: 300 })).rejects.toThrow('connection reset')
    broken.mode = 'works'
    await other.accounts.setQuota(root, person.id, 0)
    await toolkit.ledger.giveBackReserves('user', [person.id])

    await toolkit.ledger.settle(taken, bill(person, { quota: 10 }))

    await expect(hold(toolkit, person.id, { quota: 20 })).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await fixture.balance(person)).toBe(-10)
  })

  test('and restores pays again at once', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    const other = await fixture.another()
    const taken = await hold(toolkit, person.id, FLEXIBLE)
    await other.accounts.setQuota(root, person.id, 0)
    await toolkit.ledger.giveBackReserves('user', [person.id])
    await toolkit.ledger.settle(taken, bill(person, { quota: 30 }))
    await expect(hold(toolkit, person.id, { quota: 1 })).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    await other.accounts.setQuota(root, person.id, 500)

    expect((await hold(toolkit, person.id, { quota: 500 })).quota).toBe(500)
  })
})
