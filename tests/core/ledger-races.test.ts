import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { closeGate } from '../support/gates.ts'
import { seeded } from '../support/seeded.ts'
import { bill, onBoth, openTestToolkit, skipWithoutPostgres, type TestToolkit } from '../support/toolkit.ts'

const heldOf = async ({ toolkit }: TestToolkit, id: number): Promise<number> =>
  (await toolkit.db.reader('users').where({ id }).first('held_quota')).held_quota
/** As long as an idle reserve waits before it is given back, and one turn of that timer. */
const UNTIL_GIVEN_BACK_MS = 1100

onBoth('the ledger, when things cross each other', (open) => {
  test('a hold that fits the balance is granted although another hold takes the rest of the reserve meanwhile', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
    ledger.release(await hold(10)) // leaves a reserve of 10

    const gate = await closeGate(fixture, { userId: person.id })
    const large = hold(15)
    const small = hold(10)
    await gate.waiting(1)
    await gate.open()

    expect((await large).quota + (await small).quota).toBe(25)
  })

  test('a hold during the return of an idle reserve is backed by the balance', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
    ledger.release(await hold(60))
    const gate = await closeGate(fixture, { userId: person.id })
    // The reserve is taken out of memory at the next turn of the timer, and the rows wait for the gate.
    await new Promise((resolve) => setTimeout(resolve, UNTIL_GIVEN_BACK_MS))
    await gate.waiting(1)
    const late = hold(60)
    await gate.open()
    const first = await late
    await ledger.settle(first, bill(person, { quota: 60 }))

    await expect(hold(60)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect((await hold(40)).quota).toBe(40)
  })

  test('an edit during the refill of a reserve returns the earlier reserve', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 1_000_000 })
    await ledger.start()
    const gate = await closeGate(fixture, { userId: person.id })
    const holding = ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 10 })
    await gate.waiting(1)

    await ledger.giveBackReserves('user', [person.id])
    await gate.open()

    expect((await holding).quota).toBe(10)
    // Long before the timer would give an idle reserve back.
    await expect.poll(() => heldOf(fixture, person.id), { timeout: 400, interval: 10 }).toBe(10)
  })

  test.each([
    { end: 'is released', charged: undefined },
    { end: 'is charged less than it held', charged: 50 },
  ])(
    'no later request gets the remainder of a hold that was open when the balance was removed, and $end',
    async ({ charged }) => {
      const fixture = await open()
      const { ledger, accounts } = fixture.toolkit
      const person = await fixture.user({ quota: 1000 })
      const hold = (quota: number) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
      const [first, second] = [await hold(300), await hold(300)]
      await accounts.setQuota(fixture.root, person.id, charged ?? 0)
      await ledger.giveBackReserves('user', [person.id])

      for (const open of [first, second]) {
        if (charged === undefined) ledger.release(open)
        else await ledger.settle(open, bill(person, { quota: charged / 2 }))
        await expect(hold(10)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
      }
      await expect.poll(() => heldOf(fixture, person.id)).toBe(0)
      expect(await ledger.verify()).toMatchObject({ equal: true })
    },
  )

  test('an edit of one balance keeps the reserves of others', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const [edited, other] = [await fixture.user({ quota: 1_000_000 }), await fixture.user({ quota: 1_000_000 })]
    for (const { id } of [edited, other]) await ledger.hold({ userId: id, budgetTokenId: 0, quota: 10 })

    await ledger.giveBackReserves('user', [edited.id])

    expect(await heldOf(fixture, edited.id)).toBe(10)
    expect(await heldOf(fixture, other.id)).toBeGreaterThan(10)
    await ledger.giveBackReserves('user')
    expect(await heldOf(fixture, other.id)).toBe(10)
  })

  test('a stream that ends during an extension of its hold keeps no reserve', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 })

    const extending = ledger.extend(hold, 40)
    ledger.release(hold)
    await extending.catch(() => {})

    expect((await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 100 })).quota).toBe(100)
  })

  test('a node considered dead under load settles its holds without returning any quota twice', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const holds = await Promise.all(
      [20, 20].map((quota) => ledger.hold({ userId: person.id, budgetTokenId: 0, quota })),
    )
    const other = await fixture.another()
    await other.ledger.releaseDead() // Sees its last beat.
    now += 31
    await other.ledger.releaseDead()
    expect(await heldOf(fixture, person.id)).toBe(0)

    const [first, second] = holds as [(typeof holds)[0], (typeof holds)[0]]
    const settling = ledger.settle(first, bill(person, { quota: 20 }))
    await new Promise((resolve) => setImmediate(resolve)) // The first batch is on its way.
    await Promise.all([settling, ledger.settle(second, bill(person, { quota: 20 }))])

    expect(await ledger.verify()).toMatchObject({ equal: true, differences: [] })
    await expect(ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 61 })).rejects.toMatchObject({
      code: 'INSUFFICIENT_QUOTA',
    })
  })

  test('a node considered dead that takes a hold before it notices returns that hold in the end', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    ledger.release(await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 }))
    const other = await fixture.another()
    await other.ledger.releaseDead() // Sees its last beat.
    now += 31
    await other.ledger.releaseDead()

    const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 50 })
    await ledger.settle(hold, bill(person, { quota: 30 }))
    await fixture.close()

    expect(await other.ledger.verify()).toMatchObject({ equal: true })
    const free = await other.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 70 })
    expect(free.quota).toBe(70)
  })

  test('a process that closes while it returns an idle reserve returns it once', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const other = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    ledger.release(await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 }))

    const gate = await closeGate(fixture, { userId: person.id })
    await new Promise((resolve) => setTimeout(resolve, UNTIL_GIVEN_BACK_MS))
    await gate.waiting(1)
    const closing = ledger.close()
    if (fixture.toolkit.db.kind === 'postgres') await gate.waiting(2)
    await gate.open()
    await closing
    await fixture.close()

    const verified = await other.ledger.verify()
    expect(verified.differences).toEqual([])
    const { held_quota } = await other.db.reader('users').where({ id: person.id }).first('held_quota')
    expect(held_quota).toBe(0)
  })

  test('a request delivered twice under two holds leaves no reserve', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const take = () => ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 40 })
    const [first, second] = [await take(), await take()]
    const charge = bill(person, { quota: 40 })

    await ledger.settle(first, charge)
    await ledger.settle(second, charge)

    expect(await fixture.balance(person)).toBe(60)
    expect((await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 60 })).quota).toBe(60)
  })

  test('two administrators who clear the log concurrently carry each charge forward once', async () => {
    const fixture = await open({ now: () => 1_700_000_000 })
    const other = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    for (const quota of [5, 6, 7]) await fixture.charge(person, { quota })

    const gate = await closeGate(fixture, { table: 'ledger_entries' })
    const clearing = [fixture.toolkit, other].map(({ logs }) => logs.clear(fixture.root, 1_700_000_001))
    // What one deletes, the other passes over: only one of them has charges to carry on.
    await gate.waiting(1)
    await gate.open()
    await Promise.all(clearing)

    expect((await other.ledger.verify()).differences).toEqual([])
    expect(await fixture.balance(person)).toBe(82)
  })

  test('a charge that settles while the log is being cleared stays in the ledger', async () => {
    const fixture = await open({ now: () => 1_700_000_000 })
    const person = await fixture.user({ quota: 100 })
    await fixture.charge(person, { quota: 5 })

    const gate = await closeGate(fixture, { table: 'ledger_entries' })
    const clearing = fixture.toolkit.logs.clear(fixture.root, 1_700_000_001)
    await gate.waiting(1)
    const charging = fixture.charge(person, { quota: 6 })
    await gate.open()
    await Promise.all([charging, clearing])

    expect((await fixture.toolkit.ledger.verify()).differences).toEqual([])
  })

  test('a charge is counted although the row of its hour is deleted meanwhile', async () => {
    const fixture = await open()
    const { ledger, db } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    await fixture.charge(person, { quota: 5 })
    const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 6 })

    const gate = await closeGate(fixture, { statement: 'DELETE FROM model_hours' })
    const settling = ledger.settle(hold, bill(person, { quota: 6 }))
    await gate.waiting(1)
    await gate.open()

    expect(await settling).toBe('settled')
    expect((await db.reader('model_hours').pluck('quota')).map(Number)).toEqual([6])
  })

  test('a reserve of a deleted user is given back exactly, although a charge shrinks it meanwhile', async () => {
    const fixture = await open()
    const { ledger, db } = fixture.toolkit
    const person = await fixture.user({ quota: 1_000_000 })
    const channel = await fixture.channel()
    const charged = await holdOf(ledger, person.id, 10)
    await holdOf(ledger, person.id, 10) // stays open
    await db.transaction((trx) => trx('users').where({ id: person.id }).delete())

    const gate = await closeGate(fixture, { statement: 'UPDATE channels SET used_quota = used_quota' })
    const settling = ledger.settle(charged, bill(person, { quota: 5, channelId: channel.id }))
    await gate.waiting(1)
    const giving = ledger.giveBackReserves('user', [person.id])
    await gate.waiting(2)
    await gate.open()
    await Promise.all([settling, giving])

    await expect.poll(async () => (await db.reader('holds').pluck('quota')).map(Number)).toEqual([10])
  })

  test('two processes that charge the same users and models in opposite orders write each batch at the first attempt', async () => {
    const fixture = await open()
    const earlier = await deadlocksOf(fixture)
    const toolkits = [fixture.toolkit, await fixture.another()]
    const people = [await fixture.user({ quota: 1000 }), await fixture.user({ quota: 1000 })]
    const models = ['model-a', 'model-b', 'model-c']
    const written = toolkits.map(({ db }) => vi.spyOn(db, db.kind === 'postgres' ? 'statement' : 'script'))
    const charges = people.flatMap((person) => models.map((modelName) => ({ person, modelName })))

    const chargeAll = async ({ ledger }: LocalToolkit, ordered: typeof charges) => {
      for (let round = 0; round < 20; round++) {
        const settling = ordered.map(async ({ person, modelName }) => {
          const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 })
          return ledger.settle(hold, bill(person, { quota: 1, modelName }))
        })
        expect(new Set(await Promise.all(settling))).toEqual(new Set(['settled']))
      }
    }
    const [first, second] = toolkits as [LocalToolkit, LocalToolkit]
    await Promise.all([chargeAll(first, charges), chargeAll(second, charges.toReversed())])

    for (const spy of written) {
      const results = await Promise.allSettled(spy.mock.results.map(({ value }) => value))
      expect(results.length).toBeGreaterThan(0)
      expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
    }
    expect(await deadlocksOf(fixture)).toBe(earlier)
    const hours = await fixture.toolkit.db.reader('model_hours').whereIn('model_name', models).select('count', 'quota')
    expect(hours.reduce((sum, { count }) => sum + Number(count), 0)).toBe(240)
    expect(await first.ledger.verify()).toMatchObject({ equal: true })
  })

  test('holds of all sizes and settlements of one balance never deadlock', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const earlier = await deadlocksOf(fixture)
    const person = await fixture.user({ quota: 60_000 })
    const { id: tokenId } = await fixture.token(person, { unlimited_quota: false, remain_quota: 60_000 })
    const random = seeded(7)
    const relays = Array.from({ length: 32 }, async () => {
      for (let turn = 0; turn < 10; turn++) {
        const held = 20 + Math.floor(random() * 800)
        const hold = await ledger.hold({ userId: person.id, budgetTokenId: tokenId, quota: held })
        await ledger.settle(hold, bill(person, { quota: Math.floor(random() * 60), tokenId }))
      }
    })

    await Promise.all(relays)

    expect(await ledger.verify()).toMatchObject({ equal: true })
    // Connections report their deadlocks when they end at the latest.
    await fixture.toolkit.close()
    expect(await deadlocksOf(fixture)).toBe(earlier)
  })
})

test('without the function of PostgreSQL, charges are written, and the error is reported once', async (context) => {
  await skipWithoutPostgres(context)
  const fixture = await openTestToolkit({ database: 'postgres' })
  const person = await fixture.user({ quota: 100 })
  await fixture.toolkit.db.transaction((trx) => trx.raw('DROP FUNCTION settle_charges'))

  for (const quota of [5, 6]) await fixture.charge(person, { quota })

  expect(await fixture.balance(person)).toBe(89)
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  expect(fixture.failures).toEqual([expect.objectContaining({ code: '42883' })])
})

const holdOf = (ledger: LocalToolkit['ledger'], userId: number, quota: number) =>
  ledger.hold({ userId, budgetTokenId: 0, quota })

/** Returns the number of deadlocks in the database since its creation; earlier tests may have used it, too. SQLite has none. */
async function deadlocksOf({ toolkit, config }: TestToolkit): Promise<number> {
  if (toolkit.db.kind !== 'postgres') return 0
  const client = new pg.Client({ connectionString: config.databaseUrl })
  await client.connect()
  try {
    const query = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'
    return Number((await client.query(query)).rows[0].deadlocks)
  } finally {
    await client.end()
  }
}
