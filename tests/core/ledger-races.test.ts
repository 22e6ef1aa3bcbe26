import { expect, test } from 'vitest'
import { closeGate } from '../support/gates.ts'
import { bill, onBoth, type TestToolkit } from '../support/toolkit.ts'

const heldOf = async ({ toolkit }: TestToolkit, id: number): Promise<number> =>
  (await toolkit.db.reader('users').where({ id }).first('held_quota')).held_quota

onBoth('the ledger, when things cross each other', (open) => {
  test('a hold that fits the balance is granted although another takes the rest of the reserve meanwhile', async () => {
    const world = await open()
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
    ledger.release(await hold(10)) // leaves a reserve of 10

    const gate = await closeGate(world, person.id)
    const large = hold(15)
    const small = hold(10)
    await gate.waiting(1)
    await gate.open()

    expect((await large).quota + (await small).quota).toBe(25)
  })

  test('a hold that comes while an idle reserve is given back is backed by the balance', async () => {
    const world = await open()
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
    ledger.release(await hold(60))
    await new Promise((resolve) => setTimeout(resolve, 300))

    const gate = await closeGate(world, person.id)
    // The reserve is taken out of memory at the next turn of the timer, and the rows wait for the gate.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await gate.waiting(1)
    const late = hold(60)
    await gate.waiting(2)
    await gate.open()
    const first = await late
    await ledger.settle(first, bill(person, { quota: 60 }))

    await expect(hold(60)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect((await hold(40)).quota).toBe(40)
  })

  test('a stream that ends while its hold is being extended keeps nothing back', async () => {
    const world = await open()
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 })

    const extending = ledger.extend(hold, 40)
    ledger.release(hold)
    await extending.catch(() => {})

    expect((await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 100 })).quota).toBe(100)
  })

  test('a node taken for dead under load settles what it holds without giving any of it back twice', async () => {
    let now = 1_700_000_000
    const world = await open({ now: () => now })
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    const holds = await Promise.all(
      [20, 20].map((quota) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })),
    )
    const other = await world.another()
    now += 31
    await other.ledger.releaseDead()
    expect(await heldOf(world, person.id)).toBe(0)

    const [first, second] = holds as [(typeof holds)[0], (typeof holds)[0]]
    const settling = ledger.settle(first, bill(person, { quota: 20 }))
    await new Promise((resolve) => setImmediate(resolve)) // The first batch is on its way.
    await Promise.all([settling, ledger.settle(second, bill(person, { quota: 20 }))])

    expect(await ledger.verify()).toMatchObject({ equal: true, differences: [] })
    await expect(ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 61 })).rejects.toMatchObject({
      code: 'INSUFFICIENT_QUOTA',
    })
  })

  test('a node taken for dead that takes a hold before it notices gives that hold back in the end', async () => {
    let now = 1_700_000_000
    const world = await open({ now: () => now })
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    ledger.release(await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 }))
    const other = await world.another()
    now += 31
    await other.ledger.releaseDead()

    const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 50 })
    await ledger.settle(hold, bill(person, { quota: 30 }))
    await world.close()

    expect(await other.ledger.verify()).toMatchObject({ equal: true })
    const free = await other.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 70 })
    expect(free.quota).toBe(70)
  })

  test('a process that closes while it gives an idle reserve back gives it back once', async () => {
    const world = await open()
    const { ledger } = world.toolkit
    const other = await world.another()
    const person = await world.user({ quota: 100 })
    ledger.release(await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 }))

    const gate = await closeGate(world, person.id)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await gate.waiting(1)
    const closing = ledger.close()
    if (world.toolkit.db.kind === 'postgres') await gate.waiting(2)
    await gate.open()
    await closing
    await world.close()

    const verified = await other.ledger.verify()
    expect(verified.differences).toEqual([])
    const { held_quota } = await other.db.reader('users').where({ id: person.id }).first('held_quota')
    expect(held_quota).toBe(0)
  })

  test('a request that is delivered twice under two holds leaves nothing set aside', async () => {
    const world = await open()
    const { ledger } = world.toolkit
    const person = await world.user({ quota: 100 })
    const take = () => ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 40 })
    const [first, second] = [await take(), await take()]
    const charge = bill(person, { quota: 40 })

    await ledger.settle(first, charge)
    await ledger.settle(second, charge)

    expect(await world.balance(person)).toBe(60)
    expect((await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 })).quota).toBe(60)
  })
})
