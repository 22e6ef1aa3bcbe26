import { expect, test } from 'vitest'
import type { Hold } from '../../core/ledger/charge.ts'
import { seeded } from '../support/seeded.ts'
import { bill, onBoth, type Person, type TestToolkit } from '../support/toolkit.ts'

const holdOf = ({ toolkit }: Pick<TestToolkit, 'toolkit'>, userId: number, quota: number, budgetTokenId = 0) =>
  toolkit.ledger.hold({ userId, budgetTokenId, quota })
const granted = (outcomes: PromiseSettledResult<Hold>[]): Hold[] =>
  outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
const rowOf = async ({ toolkit }: TestToolkit, table: string, id: number) =>
  toolkit.db.reader(table).where({ id }).first()

onBoth('the ledger never overspends', (open) => {
  test('a thousand concurrent requests against a balance for a hundred serve exactly a hundred', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 700 })

    const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, () => holdOf(fixture, person.id, 7)))

    const holds = granted(outcomes)
    expect(holds).toHaveLength(100)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'INSUFFICIENT_QUOTA', params: { needed: 7, available: 0 } })
    await Promise.all(holds.map((hold) => fixture.toolkit.ledger.settle(hold, bill(person, { quota: 7 }))))
    expect(await fixture.balance(person)).toBe(0)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 700 })
  })

  test('two processes that share a balance for a hundred serve exactly a hundred together', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const person = await fixture.user({ quota: 100 })

    const outcomes = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, at) => holdOf(at % 2 ? fixture : { toolkit: other }, person.id, 1)),
    )

    expect(granted(outcomes)).toHaveLength(100)
    expect(await rowOf(fixture, 'users', person.id)).toMatchObject({ quota: 100, held_quota: 100 })
  })

  test('a token budget rejects what the balance would allow, and takes nothing from the balance', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 50 })

    await expect(holdOf(fixture, person.id, 51, id)).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKEN_QUOTA',
      params: { needed: 51, available: 50 },
    })

    expect((await holdOf(fixture, person.id, 1000)).quota).toBe(1000)
  })

  test('a balance rejects what the token budget would allow, and takes nothing from the budget', async () => {
    const fixture = await open()
    const [poor, rich] = [await fixture.user({ quota: 10 }), await fixture.user({ quota: 1000 })]
    const { id } = await fixture.token(poor, { unlimited_quota: false, remain_quota: 1000 })

    await expect(holdOf(fixture, poor.id, 11, id)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    expect((await holdOf(fixture, rich.id, 1000, id)).quota).toBe(1000)
  })

  test('a thousand concurrent requests against a token budget for a hundred serve exactly a hundred', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1_000_000 })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 300 })

    const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, () => holdOf(fixture, person.id, 3, id)))

    expect(granted(outcomes)).toHaveLength(100)
  })

  test('a user without a row has no balance, and free requests need none', async () => {
    const fixture = await open()
    const person = await fixture.user()

    await expect(holdOf(fixture, 9999, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    const hold = await holdOf(fixture, person.id, 0)
    await fixture.toolkit.ledger.settle(hold, bill(person, { quota: 0 }))
    expect(await rowOf(fixture, 'users', person.id)).toMatchObject({ quota: 0, request_count: 1 })
  })

  test.each([-1, 0.5, Number.NaN, 2 ** 60])('a hold of %d quota is rejected before any write', async (quota) => {
    const fixture = await open()
    await expect(holdOf(fixture, fixture.root.id, quota)).rejects.toThrow('A hold of')
    expect(await fixture.toolkit.db.reader('holds')).toEqual([])
  })
})

onBoth('a hold', (open) => {
  test('that is extended holds more, and a rejected extension changes nothing', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const hold = await holdOf(fixture, person.id, 40)

    await ledger.extend(hold, 50)
    expect(hold.quota).toBe(90)
    await expect(ledger.extend(hold, 11)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    expect(hold).toMatchObject({ quota: 90, open: true })
    expect((await holdOf(fixture, person.id, 10)).quota).toBe(10)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
  })

  test('that is released, once or twice, returns exactly its amount', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 100 })
    const [first, second] = [await holdOf(fixture, person.id, 60, id), await holdOf(fixture, person.id, 40, id)]

    ledger.release(first)
    ledger.release(first)

    await expect(holdOf(fixture, person.id, 61, id)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    ledger.release(await holdOf(fixture, person.id, 60, id))
    ledger.release(second)
    await expect.poll(() => rowOf(fixture, 'users', person.id), { timeout: 5000 }).toMatchObject({ held_quota: 0 })
    await expect.poll(() => rowOf(fixture, 'tokens', id), { timeout: 5000 }).toMatchObject({ held_quota: 0 })
    expect(await fixture.toolkit.db.reader('holds')).toEqual([])
    expect(await fixture.balance(person)).toBe(100)
  })

  test('of a closing process is released', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    await holdOf({ toolkit: other }, person.id, 100)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    await other.ledger.close()

    expect((await holdOf(fixture, person.id, 100)).quota).toBe(100)
  })
})

onBoth('a settlement', (open) => {
  test('changes user, token, channel, log and dashboard by the same amount', async () => {
    const fixture = await open({ now: () => 1_700_000_000 })
    const person = await fixture.user({ quota: 1000 })
    const { id: tokenId } = await fixture.token(person, { unlimited_quota: false, remain_quota: 500 })
    const { id: channelId } = await fixture.channel()

    for (const quota of [30, 12]) {
      const hold = await holdOf(fixture, person.id, 50, tokenId)
      const usage = { promptTokens: 3, completionTokens: 4 }
      await fixture.toolkit.ledger.settle(hold, bill(person, { quota, tokenId, channelId, ...usage }))
    }

    expect(await rowOf(fixture, 'users', person.id)).toMatchObject({ quota: 958, used_quota: 42, request_count: 2 })
    expect(await rowOf(fixture, 'tokens', tokenId)).toMatchObject({
      remain_quota: 458,
      used_quota: 42,
      accessed_time: 1_700_000_000,
    })
    expect(await rowOf(fixture, 'channels', channelId)).toMatchObject({ used_quota: 42 })
    expect(await fixture.toolkit.logs.stat(person)).toMatchObject({ quota: 42, rpm: 2, tpm: 14 })
    const range = { start: 1_699_990_000, end: 1_700_010_000 }
    expect(await fixture.toolkit.logs.ownCounts(person, range)).toMatchObject([
      { model_name: 'gpt-4o', created_at: 1_699_999_200, count: 2, quota: 42, token_used: 14 },
    ])
  })

  test('of one request id, delivered many times concurrently and again later, is one charge', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const charge = bill(person, { quota: 10 })
    const holds = await Promise.all(Array.from({ length: 5 }, () => holdOf(fixture, person.id, 10)))

    await Promise.all(holds.map((hold) => fixture.toolkit.ledger.settle(hold, charge)))
    await fixture.toolkit.ledger.settle(await holdOf(fixture, person.id, 10), charge)

    expect(await fixture.balance(person)).toBe(990)
    expect(await fixture.toolkit.logs.list(fixture.root, { request_id: charge.requestId })).toMatchObject({ total: 1 })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 10 })
  })

  test('of one request id in two concurrent processes is one charge', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const person = await fixture.user({ quota: 1000 })
    const charge = bill(person, { quota: 10 })
    const settle = async (toolkit: TestToolkit['toolkit']) =>
      toolkit.ledger.settle(await holdOf({ toolkit }, person.id, 10), charge)

    await Promise.all([settle(fixture.toolkit), settle(other)])

    expect(await fixture.balance(person)).toBe(990)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('ends its hold: a second settlement or release does nothing', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const person = await fixture.user({ quota: 100 })
    const hold = await holdOf(fixture, person.id, 50)

    await ledger.settle(hold, bill(person, { quota: 20 }))
    await ledger.settle(hold, bill(person, { quota: 20 }))
    ledger.release(hold)

    expect(await fixture.balance(person)).toBe(80)
    expect((await holdOf(fixture, person.id, 80)).quota).toBe(80)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
  })

  test('larger than its hold is charged fully, below zero if necessary, and no more requests are served', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const hold = await holdOf(fixture, person.id, 90)

    await fixture.toolkit.ledger.settle(hold, bill(person, { quota: 130 }))

    expect(await fixture.balance(person)).toBe(-30)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('of a negative or invalid quota is rejected and leaves the hold open', async () => {
    const fixture = await open()
    const { ledger } = fixture.toolkit
    const hold = await holdOf(fixture, fixture.root.id, 10)

    expect(() => ledger.settle(hold, bill(fixture.root, { quota: -1 }))).toThrow('A charge of -1')
    expect(() => ledger.settle(hold, bill(fixture.root, { quota: 0.5 }))).toThrow('A charge of 0.5')

    expect(hold.open).toBe(true)
  })

  test('rejected by the database is retried until it is written, once', async () => {
    const fixture = await open()
    const { toolkit, failures } = fixture
    const person = await fixture.user({ quota: 100 })
    const hold = await holdOf(fixture, person.id, 10)
    const rename = (from: string, to: string) => toolkit.db.transaction((trx) => trx.schema.renameTable(from, to))

    await rename('logs', 'logs_away')
    const settling = toolkit.ledger.settle(hold, bill(person, { quota: 10 }))
    await expect.poll(() => failures.length, { timeout: 5000 }).toBeGreaterThan(0)
    expect(await fixture.balance(person)).toBe(100)
    await rename('logs_away', 'logs')
    expect(await settling).toBe('settled')

    await expect.poll(() => fixture.balance(person), { timeout: 5000 }).toBe(90)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 10 })
  })

  test('with counts and names beyond column limits is truncated, and does not block other charges', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })

    await fixture.charge(person, { quota: 1, promptTokens: 3e9, completionTokens: 1.5, useTimeSeconds: Number.NaN })
    await fixture.charge(person, { quota: 2, modelName: 'é'.repeat(300), content: "a\0b'; --", other: '{"a":"\'"}' })

    const { items } = await fixture.toolkit.logs.list(fixture.root, { type: 2 })
    expect(items).toMatchObject([
      { quota: 2, model_name: 'é'.repeat(255), content: "ab'; --", other: '{"a":"\'"}' },
      { quota: 1, prompt_tokens: 2 ** 31 - 1, completion_tokens: 1, use_time: 0 },
    ])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 3 })
  })

  test('resolves only after its commit: another process reads it immediately', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const person = await fixture.user({ quota: 100 })

    for (let quota = 1; quota <= 5; quota++) {
      const { requestId } = await fixture.charge(person, { quota })
      expect(await other.logs.list(fixture.root, { request_id: requestId })).toMatchObject({ items: [{ quota }] })
    }
  })
})

onBoth('the books', (open) => {
  test('are equal after any mix of relays, redemptions and edits in two processes, and nothing remains held', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const random = seeded(42)
    const upTo = (max: number) => Math.floor(random() * max)
    const people = await Promise.all([10_000, 500, 100].map((quota) => fixture.user({ quota })))
    const tokens = await Promise.all(
      people.map((person) => fixture.token(person, { unlimited_quota: false, remain_quota: 5000 })),
    )
    const act = async (person: Person, budgetTokenId: number): Promise<void> => {
      const { ledger, redemption, accounts } = upTo(2) ? fixture.toolkit : other
      const dice = upTo(20)
      if (dice === 0) return void (await redemption.redeem(person, await fixture.code(1 + upTo(50))))
      if (dice === 1) return void (await accounts.setQuota(fixture.root, person.id, upTo(2000)))
      const tokenId = upTo(2) ? budgetTokenId : 0
      const hold = await ledger.hold({ userId: person.id, budgetTokenId: tokenId, quota: upTo(40) })
      if (dice < 6) return ledger.release(hold)
      if (dice < 10) await ledger.extend(hold, upTo(20))
      await ledger.settle(hold, bill(person, { quota: upTo(60), tokenId }))
    }

    const actOnce = () => {
      const at = upTo(3)
      return act(people[at] as Person, tokens[at]?.id ?? 0)
    }

    const outcomes: PromiseSettledResult<void>[] = []
    // On a busy machine, the last of 600 at once would wait longer for the database than the ledger allows.
    for (let wave = 0; wave < 6; wave++) {
      outcomes.push(...(await Promise.allSettled(Array.from({ length: 100 }, actOnce))))
    }

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason.code).toMatch(/^INSUFFICIENT_/)
    expect(refused.length).toBeLessThan(500)
    expect((await fixture.toolkit.ledger.verify()).differences).toEqual([])
    await fixture.toolkit.ledger.close()
    await other.ledger.close()
    // What a refused extension left open went with its process.
    for (const table of ['users', 'tokens']) {
      expect(await fixture.toolkit.db.reader(table).whereNot({ held_quota: 0 })).toEqual([])
    }
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    const left = await fixture.toolkit.db.reader('tokens').sum({ quota: 'remain_quota' }).first()
    const spent = await fixture.toolkit.db.reader('logs').whereNot({ token_id: 0 }).sum({ quota: 'quota' }).first()
    expect(left?.quota).toBe(15_000 - spent?.quota)
  })

  test('with a tampered balance differ, and name the user and both amounts', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    await fixture.charge(person, { quota: 30 })
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).increment('quota', 1))

    expect(await fixture.toolkit.ledger.verify()).toMatchObject({
      equal: false,
      differences: [{ user_id: person.id, username: person.username, quota: 71, expected: 70 }],
    })
  })

  test('with a tampered log row or a lost hold differ too', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const { requestId } = await fixture.charge(person, { quota: 30 })
    await holdOf(fixture, fixture.root.id, 5)
    await fixture.toolkit.db.transaction(async (trx) => {
      await trx('logs').where({ request_id: requestId }).update({ quota: 29 })
      await trx('holds').where({ account_id: fixture.root.id }).delete()
    })

    const { differences } = await fixture.toolkit.ledger.verify()

    expect(differences.map(({ user_id }) => user_id).sort()).toEqual([fixture.root.id, person.id])
  })

  test('keep a charge as an entry while consumption logging is off, once per request id', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 100 })
    await toolkit.options.set(root, 'LogConsumeEnabled', 'false')

    const charge = await fixture.charge(person, { quota: 30 })
    await toolkit.ledger.settle(await holdOf(fixture, person.id, 30), charge)

    expect(await toolkit.logs.list(root, { type: 2 })).toMatchObject({ total: 0 })
    expect(await toolkit.db.reader('ledger_entries').where({ kind: 'charge' })).toMatchObject([
      { user_id: person.id, quota: -30, reference: charge.requestId },
    ])
    expect(await fixture.balance(person)).toBe(70)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await toolkit.logs.counts(root, { start: 0, end: 2 ** 40 })).toEqual([])
  })

  test('stay equal after log rows are cleared, whose charges become one entry per user', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const { toolkit, root } = fixture
    const [one, two] = [await fixture.user({ quota: 100 }), await fixture.user({ quota: 100 })]
    for (const person of [one, two, one]) await fixture.charge(person, { quota: 7 })
    now += 10
    await fixture.charge(one, { quota: 1 })

    const cleared = await toolkit.logs.clear(root, now)

    expect(cleared).toBe(6) // Three charges, and the three grants of new users.
    expect(await toolkit.logs.list(root, { type: 2 })).toMatchObject({ total: 1 })
    const carried = await toolkit.db.reader('ledger_entries').where({ kind: 'carry' }).orderBy('user_id')
    expect(carried.map(({ user_id, quota }) => [user_id, quota])).toEqual([
      [one.id, -14],
      [two.id, -7],
    ])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('have dashboard counts equal to the sums of the log rows', async () => {
    const fixture = await open()
    const random = seeded(3)
    const people = [await fixture.user({ quota: 10_000 }), await fixture.user({ quota: 10_000 })]
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const usage = { promptTokens: Math.floor(random() * 9), completionTokens: Math.floor(random() * 9) }
        const modelName = `model-${at % 3}`
        return fixture.charge(people[at % 2] as Person, { quota: Math.floor(random() * 90), modelName, ...usage })
      }),
    )

    const sums = (table: string, columns: Record<string, string>) =>
      fixture.toolkit.db
        .reader(table)
        .whereNot({ model_name: '' })
        .groupBy('user_id', 'model_name')
        .orderBy(['user_id', 'model_name'])
        .select('user_id', 'model_name')
        .sum(columns)
    const rows = await sums('logs', { quota: 'quota', prompt: 'prompt_tokens', completion: 'completion_tokens' })
    const counts = await sums('quota_data', { quota: 'quota', used: 'token_used', count: 'count' })

    expect(counts).toHaveLength(6)
    expect(counts.map(({ count }) => Number(count)).reduce((a, b) => a + b)).toBe(60)
    expect(counts.map(({ user_id, model_name, quota, used }) => ({ user_id, model_name, quota, used }))).toEqual(
      rows.map(({ user_id, model_name, quota, prompt, completion }) => ({
        user_id,
        model_name,
        quota,
        used: Number(prompt) + Number(completion),
      })),
    )
  })
})

onBoth('a process', (open) => {
  test('that dies has its holds released within a minute by another process', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const dead = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    const { id } = await fixture.token(person, { unlimited_quota: false, remain_quota: 100 })
    await holdOf({ toolkit: dead }, person.id, 100, id)

    await fixture.toolkit.ledger.releaseDead()
    now += 29
    await fixture.toolkit.ledger.releaseDead()
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    now += 10
    await fixture.toolkit.ledger.releaseDead()

    expect((await holdOf(fixture, person.id, 100, id)).quota).toBe(100)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('that was considered dead and returns charges what it served, and the ledger stays equal', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const paused = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    const hold = await holdOf({ toolkit: paused }, person.id, 60)
    await fixture.toolkit.ledger.releaseDead()
    now += 31
    await fixture.toolkit.ledger.releaseDead()

    await paused.ledger.settle(hold, bill(person, { quota: 50 }))

    expect(await fixture.balance(person)).toBe(50)
    expect((await holdOf({ toolkit: paused }, person.id, 30)).quota).toBe(30)
    expect((await holdOf(fixture, person.id, 20)).quota).toBe(20)
    await expect(holdOf(fixture, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect((await fixture.toolkit.ledger.verify()).differences).toEqual([])
  })
})

onBoth('a balance', (open) => {
  const MAX = 9_000_000_000_000_000

  test('rejects a credit that would make it inexact, also concurrently', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1e15 })
    const credit = (quota: number) =>
      fixture.toolkit.db.transaction((trx) =>
        fixture.toolkit.ledger.credit(trx, { userId: person.id, kind: 'grant', quota }),
      )

    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => credit(1e15)))

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(4)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'BALANCE_TOO_LARGE', params: { max: MAX } })
    expect(await fixture.balance(person)).toBe(MAX)
    await expect(credit(1)).rejects.toMatchObject({ code: 'BALANCE_TOO_LARGE' })
    expect(await credit(-1)).toBe(MAX - 1)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('of a user who does not exist cannot be credited', async () => {
    const { toolkit } = await open()
    const crediting = toolkit.db.transaction((trx) =>
      toolkit.ledger.credit(trx, { userId: 99, kind: 'grant', quota: 1 }),
    )
    await expect(crediting).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})
