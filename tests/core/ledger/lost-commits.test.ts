import { beforeEach, expect, test } from 'vitest'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { startFaultyTcp } from '../../support/faulty-tcp.ts'
import { bill, openTestToolkit, type Person, skipWithoutPostgres, type TestToolkit } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

interface Fixture {
  /** Directly at the database. */
  fixture: TestToolkit
  /** Through a connection that loses a reply. */
  toolkit: LocalToolkit
  person: Person
}

/** One write, in which transaction the reply is lost, and what must be true when it has succeeded once. */
interface Write {
  name: string
  isChosen: RegExp
  prepare?: (fixture: Fixture) => Promise<unknown>
  write: (fixture: Fixture, prepared: unknown) => Promise<unknown>
  expectOnce: (fixture: Fixture) => Promise<void>
}

const balance =
  (expected: number) =>
  async ({ fixture, person }: Fixture) =>
    expect(await fixture.balance(person)).toBe(expected)

async function failingTask({ fixture, person }: Fixture): Promise<number> {
  const row = { task_id: 't1', user_id: person.id, quota: 70, request_id: 'task-1', progress: '0%' }
  await fixture.charge(person, { quota: 70, requestId: 'task-1', task: { table: 'tasks', row } })
  return (await fixture.toolkit.db.reader('tasks').first('id')).id
}

const FAILURE = {
  requestId: 'failed-1',
  userId: 1,
  username: 'ann',
  tokenId: 0,
  tokenName: '',
  modelName: 'm',
  channelId: 0,
  group: 'default',
  useTimeSeconds: 1,
  isStream: false,
  at: 1_700_000_000,
  content: 'no channel',
  status: 503,
  code: null,
  tries: [],
}

const WRITES: readonly Write[] = [
  {
    name: 'the growth of a hold',
    isChosen: /insert into "holds"/,
    // So near to the limit that a process reserves no more than it needs.
    prepare: ({ toolkit, person }) =>
      toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 600 }) as Promise<unknown>,
    async write({ toolkit, person }, hold) {
      await toolkit.ledger.extend(hold as never, 300)
      await toolkit.ledger.settle(hold as never, bill(person, { quota: 900 }))
    },
    expectOnce: balance(100),
  },
  {
    name: 'the refund of a task',
    isChosen: /insert into "ledger_entries"/,
    prepare: failingTask,
    write: ({ toolkit }, id) => toolkit.taskLifecycle.advance('tasks', id as number, { status: 'FAILURE' }, 'failure'),
    async expectOnce(fixture) {
      await balance(1000)(fixture)
      expect(await fixture.fixture.toolkit.db.reader('ledger_entries').where({ kind: 'refund' })).toHaveLength(1)
    },
  },
  {
    name: 'an entry',
    isChosen: /insert into "ledger_entries"/,
    write: ({ toolkit, person }) =>
      toolkit.db.transaction((trx) => toolkit.ledger.credit(trx, { userId: person.id, kind: 'edit', quota: 50 })),
    expectOnce: balance(1050),
  },
  {
    name: 'the rows of failed relays',
    isChosen: /insert into "failed_relays"/,
    write: ({ toolkit }) => toolkit.logs.writeFailures([FAILURE]),
    expectOnce: async ({ fixture }) =>
      expect(await fixture.toolkit.db.reader('failed_relays').pluck('request_id')).toEqual(['failed-1']),
  },
  {
    name: 'the claim of an idempotency key',
    isChosen: /insert into "relay_outcomes"/,
    async write({ toolkit, person }) {
      const ask = { userId: person.id, key: 'order-1', fingerprint: 'f', requestId: 'r1' }
      const claim = await toolkit.relayOutcomes.claim(ask)
      if ('finish' in claim) await claim.finish({ contentType: 'text/plain', body: Buffer.from('said') })
    },
    expectOnce: async ({ toolkit, person }) =>
      expect(
        await toolkit.relayOutcomes.claim({ userId: person.id, key: 'order-1', fingerprint: 'f', requestId: 'r2' }),
      ).toMatchObject({ requestId: 'r1', body: Buffer.from('said') }),
  },
  {
    name: 'the outcome of an idempotency key',
    isChosen: /update "relay_outcomes"/,
    prepare: ({ toolkit, person }) =>
      toolkit.relayOutcomes.claim({ userId: person.id, key: 'order-1', fingerprint: 'f', requestId: 'r1' }),
    write: (_, claim) =>
      (claim as { finish: (outcome: object) => Promise<void> }).finish({ contentType: '', body: Buffer.from('said') }),
    expectOnce: async ({ toolkit, person }) =>
      expect(
        await toolkit.relayOutcomes.claim({ userId: person.id, key: 'order-1', fingerprint: 'f', requestId: 'r2' }),
      ).toMatchObject({ requestId: 'r1', body: Buffer.from('said') }),
  },
  {
    name: 'objects that a relay created',
    isChosen: /insert into "stored_objects"/,
    write: ({ toolkit, person }) =>
      toolkit.storedObjects.add({ userId: person.id, memberId: 0 }, { channelId: 1, keyDigest: '' }, [
        { kind: 'file', id: 'file-1' },
      ]),
    expectOnce: async ({ fixture, person }) =>
      expect(
        await fixture.toolkit.storedObjects.find({ userId: person.id, memberId: 0 }, [{ kind: 'file', id: 'file-1' }]),
      ).toMatchObject([{ channelId: 1 }]),
  },
]

test.each(WRITES)(
  'the reply to the COMMIT of $name is lost: it is written once, and its caller gets the result',
  async (one) => {
    const fixture = await openTestToolkit({ database: 'postgres' })
    const proxy = await startFaultyTcp(fixture.config.databaseUrl)
    const toolkit = await fixture.another({}, { databaseUrl: proxy.url })
    const place = { fixture, toolkit, person: await fixture.user({ quota: 1000 }) }
    const prepared = await one.prepare?.(place)
    const lost = proxy.loseCommit({ isChosen: (statements) => statements.some((text) => one.isChosen.test(text)) })

    await one.write(place, prepared)

    await lost
    await one.expectOnce(place)
    await toolkit.close()
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [], differences: [] })
  },
)
