import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJournal, toRecord } from '../../../core/ledger/journal.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { breakTransactions } from '../../support/broken-transactions.ts'
import { bill, onBoth, type TestToolkit } from '../../support/toolkit.ts'

const NOW = 1_700_000_000
/** A process id that no process has: above the largest that Linux gives out. */
const DEAD_PID = 2 ** 22 + 1

const held = async ({ toolkit }: TestToolkit, id: number): Promise<number> =>
  (await toolkit.db.reader('users').where({ id }).first('held_quota')).held_quota
const take = ({ ledger }: LocalToolkit, userId: number, quota: number, budgetTokenId = 0) =>
  ledger.hold({ userId, budgetTokenId, quota })
const chargesOf = ({ toolkit }: TestToolkit, requestId: string) =>
  toolkit.db.reader('logs').where({ request_id: requestId }).select('quota', 'other')

onBoth('the ledger, when the reply to a COMMIT is lost', (open) => {
  test('reserves the quota once, and returns all of it in the end', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    await fixture.toolkit.ledger.start()
    const broken = breakTransactions(fixture.toolkit)

    broken.mode = 'after'
    await expect(take(fixture.toolkit, person.id, 400)).rejects.toThrow('connection reset')
    broken.mode = 'works'

    expect((await take(fixture.toolkit, person.id, 1000)).quota).toBe(1000)
    expect(await held(fixture, person.id)).toBe(1000)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('an unused reserve is returned within seconds', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    await fixture.toolkit.ledger.start()
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    await expect(take(fixture.toolkit, person.id, 400)).rejects.toThrow('connection reset')
    expect(await held(fixture, person.id)).toBe(400)
    broken.mode = 'works'

    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
  })

  test('an edit of the balance leaves no reserve unknown to every process', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    fixture.toolkit.ledger.release(await take(fixture.toolkit, person.id, 10))
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    await expect(take(fixture.toolkit, person.id, 100)).rejects.toThrow('connection reset')
    broken.mode = 'works'

    await fixture.toolkit.ledger.giveBackReserves('user', [person.id])

    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
    expect((await take(fixture.toolkit, person.id, 1000)).quota).toBe(1000)
  })

  test('returns a reserve once, and two processes spend exactly the whole balance', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 5000 })
    const other = await fixture.another()
    fixture.toolkit.ledger.release(await take(fixture.toolkit, person.id, 3000))
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
    broken.mode = 'works'

    const outcomes = await Promise.allSettled(
      Array.from({ length: 120 }, async (_, at) => {
        const toolkit = at % 2 ? other : fixture.toolkit
        const hold = await take(toolkit, person.id, 50)
        expect(await toolkit.ledger.settle(hold, bill(person, { quota: 50 }))).toBe('settled')
      }),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    expect(await fixture.balance(person)).toBe(0)
    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 5000 })
  })

  test('charges a relay once, and its hold ends', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const { id: budget } = await fixture.token(person, { unlimited_quota: false, remain_quota: 1000 })
    const hold = await take(fixture.toolkit, person.id, 300, budget)
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    const charge = bill(person, { quota: 200, tokenId: budget })

    expect(await fixture.toolkit.ledger.settle(hold, charge)).toBe('settled')
    broken.mode = 'works'

    await expect.poll(() => fixture.balance(person), { timeout: 5000 }).toBe(800)
    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
    expect(await chargesOf(fixture, charge.requestId)).toHaveLength(1)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 200 })
    expect((await take(fixture.toolkit, person.id, 800, budget)).quota).toBe(800)
  })
})

onBoth('a charge whose COMMIT reply is lost, of a process that others may have declared dead', (open) => {
  test('is in the ledger once, so the reply is completed', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 1000 })
    const hold = await take(fixture.toolkit, person.id, 300)
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    now += 26
    const charge = bill(person, { quota: 200 })

    expect(await fixture.toolkit.ledger.settle(hold, charge)).toBe('settled')
    broken.mode = 'works'

    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(0)
    expect(await chargesOf(fixture, charge.requestId)).toHaveLength(1)
    expect(await fixture.balance(person)).toBe(800)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 200 })
  })
})

onBoth('the journal of charges', (open) => {
  const files = async ({ config }: TestToolkit) => readdir(join(config.dataFolder, 'journal')).catch(() => [])

  test('keeps charges while the database is unavailable, and is removed after they are in the ledger, each once', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const holds = await Promise.all(Array.from({ length: 5 }, () => take(fixture.toolkit, person.id, 10)))
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'before'

    const outcomes = await Promise.all(
      holds.map((hold) => fixture.toolkit.ledger.settle(hold, bill(person, { quota: 10 }))),
    )
    expect(outcomes).toEqual(Array(5).fill('settled'))
    expect(await files(fixture)).toHaveLength(1)
    expect(await fixture.balance(person)).toBe(1000)
    broken.mode = 'works'

    await expect.poll(() => fixture.balance(person), { timeout: 5000 }).toBe(950)
    await expect.poll(() => files(fixture), { timeout: 5000 }).toEqual([])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 50 })
  })

  test('gets the charge of a reply that waits too long for a lock, and the waiting transaction writes it once', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const hold = await take(fixture.toolkit, person.id, 10)
    const other = await fixture.another()
    let unlock = () => {}
    let locking = Promise.resolve()
    await new Promise<void>((resolve, reject) => {
      locking = other.db.transaction(async (trx) => {
        await trx('users').where({ id: person.id }).update({ display_name: 'locked' })
        await new Promise<void>((done) => {
          unlock = done
          resolve()
        })
      })
      locking.catch(reject)
    })
    const charge = bill(person, { quota: 10 })
    const settling = fixture.toolkit.ledger.settle(hold, charge)
    await expect.poll(() => files(fixture), { timeout: 9000 }).toHaveLength(1)
    expect(await settling).toBe('settled')
    expect(await chargesOf(fixture, charge.requestId)).toEqual([])
    unlock()
    await locking

    await expect.poll(() => chargesOf(fixture, charge.requestId)).toMatchObject([{ quota: 10 }])
    await expect.poll(() => files(fixture)).toEqual([])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 10 })
  })

  test('of a process that ended during an outage is written by the next one', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const stopped = await fixture.another()
    const hold = await take(stopped, person.id, 10)
    const broken = breakTransactions(stopped)
    broken.mode = 'before'
    const charge = bill(person, { quota: 10 })
    expect(await stopped.ledger.settle(hold, charge)).toBe('settled')

    await stopped.ledger.close()
    expect(await files(fixture)).toHaveLength(1)
    await fixture.toolkit.ledger.start()

    expect(await fixture.balance(person)).toBe(990)
    expect(await chargesOf(fixture, charge.requestId)).toMatchObject([{ quota: 10 }])
    expect(await files(fixture)).toEqual([])
    // The holds of the process that ended are in the database still, less what was charged.
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('of a process that was declared dead is charged up to what the balance still has', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    const stopped = await fixture.another()
    const hold = await take(stopped, person.id, 60)
    const broken = breakTransactions(stopped)
    broken.mode = 'before'
    const charge = bill(person, { quota: 50 })
    expect(await stopped.ledger.settle(hold, charge)).toBe('settled')
    await stopped.ledger.close()
    await fixture.toolkit.ledger.releaseDead()
    now += 31
    await fixture.toolkit.ledger.releaseDead()
    await fixture.charge(person, { quota: 80 })

    await fixture.toolkit.ledger.start()

    const [row] = await chargesOf(fixture, charge.requestId)
    expect(row).toMatchObject({ quota: 20 })
    expect(await fixture.balance(person)).toBe(0)
    expect(await files(fixture)).toEqual([])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('is removed if its charges are in the log, although logging was turned off and the balance is too low', async () => {
    const fixture = await open()
    const { toolkit, config, root } = fixture
    const person = await fixture.user({ quota: 100 })
    const charge = bill(person, { quota: 80 })
    await toolkit.ledger.settle(await take(toolkit, person.id, 80), charge)
    const journal = createJournal(join(config.dataFolder, 'journal'))
    const settlement = { charge, budgetTokenId: 0, at: NOW, nodeId: 'ended', userShrink: 80, tokenShrink: 0 }
    await journal.append(toRecord([settlement], NOW))
    await journal.close()
    const [file = ''] = await files(fixture)
    await rename(
      join(config.dataFolder, 'journal', file),
      join(config.dataFolder, 'journal', `${DEAD_PID}-left.journal`),
    )
    await toolkit.options.set(root, 'LogConsumeEnabled', 'false')

    await toolkit.ledger.start()

    expect(await files(fixture)).toEqual([])
    expect(await fixture.balance(person)).toBe(20)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 80 })
  })

  test('taken over and written by another process leaves its owner no quota already spent', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const owner = await fixture.another()
    const hold = await take(owner, person.id, 600)
    const broken = breakTransactions(owner)
    broken.mode = 'before'
    expect(await owner.ledger.settle(hold, bill(person, { quota: 200 }))).toBe('settled')
    const other = await fixture.another()
    // As one in another container does, for which the owner's process id is its own.
    await other.ledger.start()
    expect(await fixture.balance(person)).toBe(800)
    const taken = await take(other, person.id, 400)
    broken.mode = 'works'
    const { nodeId } = owner.ledger
    // It finds its charge in the books meanwhile; what is used is not given back.
    for (let turn = 0; turn < 20; turn++) {
      owner.ledger.release(await take(owner, person.id, 1))
      await sleep(50)
    }

    await expect(take(owner, person.id, 600)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })

    expect(owner.ledger.nodeId).toBe(nodeId)
    other.ledger.release(taken)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 200 })
  })

  test('that cannot be written ends a reply without a charge, and a stream with one that close() reports', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const { ledger } = fixture.toolkit
    const [whole, stream] = [await take(fixture.toolkit, person.id, 10), await take(fixture.toolkit, person.id, 10)]
    await rm(join(fixture.config.dataFolder, 'journal'), { recursive: true, force: true })
    await writeFile(join(fixture.config.dataFolder, 'journal'), 'a file in the place of the folder')
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'before'

    expect(await ledger.settle(whole, bill(person, { quota: 10 }))).toBe('lost')
    await expect.poll(() => ledger.load()).toMatchObject({ waitingCharges: 0, waitingMs: 0 })
    expect(await ledger.settle(stream, bill(person, { quota: 7, isDelivered: true, requestId: 'cut' }))).toBe('lost')
    await expect(ledger.close()).rejects.toThrow('1 charges could not be stored: cut')
    broken.mode = 'works'
    await rm(join(fixture.config.dataFolder, 'journal'))
    await mkdir(join(fixture.config.dataFolder, 'journal'))
  })
})

onBoth('a process whose epoch has ended', (open) => {
  /** `paused` holds quota and is declared dead; then `spend` of the balance goes to another process. */
  async function pausedFixture({ spend, hold: size }: { spend: number; hold: number }) {
    let now = NOW
    const fixture = await open({ now: () => now })
    const paused = await fixture.another()
    const person = await fixture.user({ quota: 100 })
    const hold = await take(paused, person.id, size)
    await fixture.toolkit.ledger.releaseDead()
    now += 31
    await fixture.toolkit.ledger.releaseDead()
    expect(await held(fixture, person.id)).toBe(0)
    if (spend > 0) await fixture.charge(person, { quota: spend })
    return { fixture, paused, person, hold }
  }

  test('does not charge, and must not complete, a reply that the balance no longer covers', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 80 })
    const charge = bill(person, { quota: 50 })

    expect(await paused.ledger.settle(hold, charge)).toBe('lost')

    expect(await chargesOf(fixture, charge.requestId)).toEqual([])
    expect(await fixture.balance(person)).toBe(20)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('charges the delivered part of a stream up to the balance, and the receipt says so', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 80 })
    const charge = bill(person, { quota: 50, isDelivered: true, other: '{"model_ratio":1}' })

    expect(await paused.ledger.settle(hold, charge)).toBe('lost')

    const [row] = await chargesOf(fixture, charge.requestId)
    expect(row.quota).toBe(20)
    expect(JSON.parse(row.other)).toEqual({ model_ratio: 1, incomplete: true, uncovered: 30 })
    expect(await fixture.balance(person)).toBe(0)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('stores the charged amount with a task, so that no more is refunded', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 80 })
    const row = { task_id: 't1', user_id: person.id, quota: 50, request_id: 'task-1', progress: '0%' }
    const charge = bill(person, { quota: 50, requestId: 'task-1', isDelivered: true, task: { table: 'tasks', row } })

    expect(await paused.ledger.settle(hold, charge)).toBe('lost')
    const { id, quota } = await fixture.toolkit.db.reader('tasks').first('id', 'quota')
    expect(Number(quota)).toBe(20)
    await fixture.toolkit.taskLifecycle.advance('tasks', id, { status: 'FAILURE' }, 'failure')

    expect(await fixture.balance(person)).toBe(20)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('covers its open holds again if the balance allows it, and continues', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 30 })

    const more = await take(paused, person.id, 5)

    await expect.poll(() => held(fixture, person.id), { timeout: 5000 }).toBe(65)
    expect(hold.lost).toBe(false)
    expect(await paused.ledger.settle(hold, bill(person, { quota: 60 }))).toBe('settled')
    expect(await paused.ledger.settle(more, bill(person, { quota: 5 }))).toBe('settled')
    expect(await fixture.balance(person)).toBe(5)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('notifies relays that lose their hold, once, and rejects their extensions', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 80 })
    let losses = 0
    hold.onLost = () => losses++

    await expect(take(paused, person.id, 21)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    await expect.poll(() => hold.lost, { timeout: 5000 }).toBe(true)

    expect(losses).toBe(1)
    await expect(paused.ledger.extend(hold, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    paused.ledger.release(hold)
    expect((await take(paused, person.id, 20)).quota).toBe(20)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('notices an expired epoch before it grants its reserve', async () => {
    const { fixture, paused, person, hold } = await pausedFixture({ hold: 60, spend: 100 })
    paused.ledger.release(hold)

    await expect(take(paused, person.id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_QUOTA' })
    expect(await fixture.balance(person)).toBe(0)
  })
})

onBoth('a process that lives', (open) => {
  test('returns all its reserves of many balances, and no other process loses its part', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const [first, second] = [await fixture.another(), await fixture.another()]
    const people = await Promise.all(Array.from({ length: 12 }, () => fixture.user({ quota: 10_000 })))
    const tokens = await Promise.all(
      people.map((person) => fixture.token(person, { unlimited_quota: false, remain_quota: 10_000 })),
    )
    for (const [at, { id }] of people.entries()) {
      for (const dead of [first, second]) await take(dead, id, 100, tokens[at]?.id)
    }
    const [alive] = people
    const kept = await take(fixture.toolkit, alive?.id ?? 0, 50)
    await fixture.toolkit.ledger.releaseDead()
    now += 31
    await fixture.toolkit.ledger.heartbeat()
    await fixture.toolkit.ledger.releaseDead()

    const held = await fixture.toolkit.db.reader('users').where('held_quota', '>', 0).pluck('id')
    expect(held).toEqual([alive?.id])
    expect(await fixture.toolkit.db.reader('tokens').where('held_quota', '>', 0)).toEqual([])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await fixture.toolkit.ledger.settle(kept, bill(alive ?? fixture.root, { quota: 50 }))).toBe('settled')
  })

  test('is not declared dead by a process whose clock is an hour ahead', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    const ahead = await fixture.another({ now: () => now + 3600 })
    await take(fixture.toolkit, person.id, 60)

    for (let look = 0; look < 6; look++) {
      await ahead.ledger.releaseDead()
      now += 20
      // Beats, since it trusts its epoch for 25 seconds.
      fixture.toolkit.ledger.release(await take(fixture.toolkit, person.id, 1))
      if (look % 2) now += 6
    }

    expect(await held(fixture, person.id)).toBeGreaterThanOrEqual(60)
    expect(await fixture.toolkit.db.reader('nodes').where({ id: fixture.toolkit.ledger.nodeId })).toHaveLength(1)
  })

  test('is declared dead within a minute though the clock goes back an hour meanwhile', async () => {
    let now = NOW
    let monotonic = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    const dead = await fixture.another()
    await take(dead, person.id, 60)
    const observer = await fixture.another({ now: () => monotonic })
    await observer.ledger.releaseDead()
    now -= 3600
    monotonic += 41
    await observer.ledger.releaseDead()
    expect(await held(fixture, person.id)).toBe(0)
  })

  test('shares no reserve with another under the same id: both start over', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    const hold = await take(fixture.toolkit, person.id, 60)
    const before = fixture.toolkit.ledger.nodeId
    await fixture.toolkit.db.transaction((trx) => trx('nodes').where({ id: before }).increment('beats', 3))

    now += 26
    const more = await take(fixture.toolkit, person.id, 10)

    expect(fixture.toolkit.ledger.nodeId).not.toBe(before)
    for (const [each, quota] of [[hold, 60] as const, [more, 10] as const]) {
      expect(await fixture.toolkit.ledger.settle(each, bill(person, { quota }))).toBe('settled')
    }
    expect(await fixture.balance(person)).toBe(30)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

onBoth('the database', (open) => {
  test.each(['users', 'tokens'])('rejects a negative held quota in %s', async (table) => {
    const fixture = await open()
    const person = await fixture.user({ quota: 10 })
    await fixture.token(person)
    const lowering = fixture.toolkit.db.transaction((trx) => trx(table).update({ held_quota: -1 }))
    await expect(lowering).rejects.toThrow(/CHECK|check/)
  })

  test('rejects a negative reserve', async () => {
    const fixture = await open()
    const adding = fixture.toolkit.db.transaction((trx) =>
      trx('holds').insert({ node_id: 'n', account: 'user', account_id: 1, quota: -1 }),
    )
    await expect(adding).rejects.toThrow(/CHECK|check/)
  })

  test('and a process that disagree about a reserve are reconciled, and every charge is written', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const hold = await take(fixture.toolkit, person.id, 60)
    await fixture.toolkit.db.transaction(async (trx) => {
      await trx('holds').where({ account: 'user', account_id: person.id }).update({ quota: 5 })
      await trx('users').where({ id: person.id }).update({ held_quota: 5 })
    })

    expect(await fixture.toolkit.ledger.settle(hold, bill(person, { quota: 60 }))).toBe('settled')

    await expect.poll(() => fixture.balance(person), { timeout: 5000 }).toBe(40)
    expect((await take(fixture.toolkit, person.id, 40)).quota).toBe(40)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('accepts other charges while one has a value that it always rejects', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const [poison, good] = [await take(fixture.toolkit, person.id, 1), await take(fixture.toolkit, person.id, 1)]
    const bad = bill(person, { quota: 1, channelId: 2 ** 40, requestId: randomUUID() })
    if (fixture.toolkit.db.kind === 'sqlite') Object.assign(bad, { channelId: Number.NaN })

    void fixture.toolkit.ledger.settle(poison, bad)
    expect(await fixture.toolkit.ledger.settle(good, bill(person, { quota: 1 }))).toBe('settled')

    await expect.poll(() => fixture.balance(person), { timeout: 5000 }).toBe(99)
  })
})
