import { expect, test } from 'vitest'
import { inShortBatches } from '../../core/db/short-batches.ts'
import { bill, onBoth, type TestToolkit } from '../support/toolkit.ts'

const NOW = 1_700_000_000

/** Log rows of charges, written with their balances by one statement each: relays would take long. */
async function chargedRows(fixture: TestToolkit, { users, rows }: { users: number; rows: number }): Promise<number[]> {
  const people = await Promise.all(Array.from({ length: users }, () => fixture.user({ quota: 1_000_000 })))
  const logs = Array.from({ length: rows }, (_, at) => ({
    user_id: people[at % users]?.id ?? 0,
    created_at: NOW - rows + at,
    type: 2,
    content: '',
    username: '',
    quota: 1 + (at % 7),
    request_id: `r-${at}`,
  }))
  await fixture.toolkit.db.transaction(async (trx) => {
    await trx.batchInsert('logs', logs, 100)
    // Nothing counts them for the dashboard.
    const hours = new Set(logs.map(({ created_at }) => created_at - (created_at % 3600)))
    await trx('partial_hours').insert([...hours].map((created_at) => ({ created_at })))
    for (const { id } of people) {
      const ofUser = logs.filter((row) => row.user_id === id)
      const spent = ofUser.reduce((sum, { quota }) => sum + quota, 0)
      await trx('users')
        .where({ id })
        .decrement('quota', spent)
        .increment({ used_quota: spent, request_count: ofUser.length })
    }
  })
  return people.map(({ id }) => id)
}

const carries = ({ toolkit }: TestToolkit) =>
  toolkit.db.reader('ledger_entries').where({ kind: 'carry' }).orderBy('user_id').select('user_id', 'quota')

onBoth('clearing the log', (open) => {
  test('leaves one entry for each user and run, in any number of batches, with exact ledgers all the time', async () => {
    const fixture = await open({ now: () => NOW + 100 })
    const ids = await chargedRows(fixture, { users: 5, rows: 2000 })
    const verified: boolean[] = []
    let clearing = true
    const watching = (async () => {
      while (clearing) verified.push((await fixture.toolkit.ledger.verify()).equal)
    })()

    const cleared = await fixture.toolkit.logs.clear(fixture.root, NOW)
    clearing = false
    await watching

    expect(cleared).toBe(2000)
    expect(verified.length).toBeGreaterThan(1)
    expect(verified).not.toContain(false)
    expect((await carries(fixture)).map(({ user_id }) => user_id)).toEqual(ids.sort((a, b) => a - b))
    expect(await fixture.toolkit.db.reader('log_clear_sums')).toEqual([])
    expect(await fixture.toolkit.db.reader('log_clears')).toEqual([])
  })

  test('that dies half-way keeps an exact ledger, and another process writes its entries after a minute of silence', async () => {
    let now = NOW + 100
    const fixture = await open({ now: () => now })
    await chargedRows(fixture, { users: 3, rows: 3000 })
    const { db } = fixture.toolkit
    const { transaction, script } = db
    let left = 4
    const live = () => {
      if (left-- <= 0) throw new Error('killed')
    }
    Object.assign(db, {
      transaction(work: Parameters<typeof transaction>[0]) {
        live()
        return transaction(work)
      },
      ...(script && {
        script(statements: string) {
          live()
          return script(statements)
        },
      }),
    })
    await expect(fixture.toolkit.logs.clear(fixture.root, NOW)).rejects.toThrow('killed')
    Object.assign(db, { transaction, ...(script && { script }) })

    const rest = Number((await db.reader('logs').where({ type: 2 }).count({ total: '*' }).first())?.total)
    expect(rest).toBeGreaterThan(0)
    expect(rest).toBeLessThan(3000)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await fixture.toolkit.logs.finishClears()).toBe(0)
    now += 61
    expect(await fixture.toolkit.logs.finishClears()).toBe(1)

    expect(await carries(fixture)).toHaveLength(3)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await fixture.toolkit.logs.clear(fixture.root, NOW)).toBe(rest)
    expect(await carries(fixture)).toHaveLength(6)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('lets relays settle between its batches', async () => {
    const fixture = await open({ now: () => NOW + 100 })
    await chargedRows(fixture, { users: 2, rows: 4000 })
    const person = await fixture.user({ quota: 1000 })
    let isCleared = false
    const clearing = fixture.toolkit.logs.clear(fixture.root, NOW).then(() => {
      isCleared = true
    })
    let settled = 0
    while (!isCleared && settled < 1000) {
      const hold = await fixture.toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 })
      await fixture.toolkit.ledger.settle(hold, bill(person, { quota: 1 }))
      settled++
    }
    await clearing
    expect(settled).toBeGreaterThan(3)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

test('a bulk operation adapts its batches to their duration, and pauses twice as long between them', async () => {
  const sizes: number[] = []
  let left = 2000
  const startedAt = performance.now()
  const total = await inShortBatches(async (rowsMax) => {
    const rows = Math.min(left, rowsMax)
    left -= rows
    sizes.push(rowsMax)
    await new Promise((resolve) => setTimeout(resolve, rows / 4)) // A row takes a quarter of a millisecond.
    return rows
  })
  expect(total).toBe(2000)
  // 8 ms hold about 32 such rows.
  for (const size of sizes.slice(2)) expect(size).toBeLessThan(100)
  expect(performance.now() - startedAt).toBeGreaterThan(1200)
})
