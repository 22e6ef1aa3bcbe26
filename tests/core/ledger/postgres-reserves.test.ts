import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database, PreparedStatement } from '../../../core/db/database.ts'
import { OutcomeUnknownError } from '../../../core/db/unavailable.ts'
import { reserveAtOnce } from '../../../core/ledger/postgres-reserves.ts'
import { openTestToolkit, skipWithoutPostgres, type TestToolkit } from '../../support/toolkit.ts'

const QUOTA = 1_000_000

async function open() {
  const fixture = await openTestToolkit({ database: 'postgres' })
  const person = await fixture.user({ quota: QUOTA })
  return { ...fixture, person, transaction: vi.spyOn(fixture.toolkit.db, 'transaction') }
}

const heldOf = async ({ toolkit }: TestToolkit, table: 'users' | 'tokens', id: number): Promise<number> => {
  const [row] = await toolkit.db.reader(table).where({ id }).select('held_quota')
  return Number(row?.held_quota)
}

describe('reserves on PostgreSQL', () => {
  beforeEach(skipWithoutPostgres)

  test('are taken and returned in one round trip each, without a transaction', async () => {
    const fixture = await open()
    const { toolkit, person, transaction } = fixture
    const { id: tokenId } = await fixture.token(person, { unlimited_quota: false, remain_quota: 2 * QUOTA })
    // The first hold also registers the process.
    const other = await fixture.user({ quota: QUOTA })
    toolkit.ledger.release(await toolkit.ledger.hold({ userId: other.id, budgetTokenId: 0, quota: 1000 }))
    transaction.mockClear()

    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: tokenId, quota: 1000 })
    expect(await heldOf(fixture, 'users', person.id)).toBe(1000 + Math.floor((QUOTA - 1000) / 32))
    expect(await heldOf(fixture, 'tokens', tokenId)).toBe(1000 + Math.floor((2 * QUOTA - 1000) / 32))

    toolkit.ledger.release(hold)
    await toolkit.ledger.giveBackReserves('user')
    await toolkit.ledger.giveBackReserves('token')
    expect(await heldOf(fixture, 'users', person.id)).toBe(0)
    expect(await heldOf(fixture, 'tokens', tokenId)).toBe(0)
    expect(await toolkit.db.reader('holds').select('quota')).toEqual([])
    expect(transaction).not.toHaveBeenCalled()
  })

  test('of a small balance need the round trip of the function only once', async () => {
    const { toolkit, user } = await open()
    const { id: userId } = await user({ quota: 1000 })
    const statement = vi.spyOn(toolkit.db as Required<Database>, 'statement')

    for (let turn = 0; turn < 3; turn++) await toolkit.ledger.hold({ userId, budgetTokenId: 0, quota: 100 })

    expect(statement).toHaveBeenCalledOnce()
  })

  test('are returned except for the quota of open holds', async () => {
    const fixture = await open()
    const { toolkit, person } = fixture

    await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1000 })
    await toolkit.ledger.giveBackReserves('user', [person.id])

    expect(await heldOf(fixture, 'users', person.id)).toBe(1000)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test.each([
    ['a balance of 63 times the quota', 63 * 1000, {}],
    ['an account that does not exist', QUOTA, { id: 4_000_000 }],
    ['an epoch that has ended', QUOTA, { epoch: 'ended' }],
  ])('are left to a transaction for %s', async (_, quota, { id, epoch }: { id?: number; epoch?: string }) => {
    const fixture = await openTestToolkit({ database: 'postgres' })
    const person = await fixture.user({ quota })
    const [node] = await fixture.toolkit.db.reader('nodes').select('id')
    const change = { kind: 'user' as const, id: id ?? person.id, quota: 1000, operation: 1 }

    expect(await reserveAtOnce(fixture.toolkit.db, epoch ?? String(node?.id), change)).toBeUndefined()
    expect(await heldOf(fixture, 'users', person.id)).toBe(0)
  })

  test('whose reply is lost are found in the row: the hold succeeds, and nothing is reserved twice', async () => {
    const fixture = await open()
    const { toolkit, person } = fixture
    const { statement } = toolkit.db
    const lost = vi.spyOn(toolkit.db as Required<Database>, 'statement').mockImplementationOnce(async (prepared) => {
      await statement?.(prepared)
      throw new OutcomeUnknownError('connection reset')
    })

    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1000 })

    expect(lost).toHaveBeenCalledOnce()
    expect(await heldOf(fixture, 'users', person.id)).toBe(1000 + Math.floor((QUOTA - 1000) / 32))
    toolkit.ledger.release(hold)
    await toolkit.ledger.giveBackReserves('user')
    expect(await heldOf(fixture, 'users', person.id)).toBe(0)
  })

  test('whose statement is run after its search reserve nothing', async () => {
    const fixture = await open()
    const { toolkit, person } = fixture
    const { statement } = toolkit.db
    const late: PreparedStatement[] = []
    vi.spyOn(toolkit.db as Required<Database>, 'statement').mockImplementationOnce(async (prepared) => {
      late.push(prepared)
      throw new OutcomeUnknownError('connection reset')
    })
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1000 })
    const held = await heldOf(fixture, 'users', person.id)

    for (const prepared of late) expect(await statement?.(prepared)).toEqual([{ quota: 0 }])

    expect(late).toHaveLength(1)
    expect(await heldOf(fixture, 'users', person.id)).toBe(held)
    toolkit.ledger.release(hold)
  })

  test('are taken and returned by transactions if the functions are missing', async () => {
    const fixture = await open()
    const { toolkit, person } = fixture
    await toolkit.db.transaction((trx) => trx.raw('DROP FUNCTION reserve_quota, return_reserves'))

    toolkit.ledger.release(await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1000 }))
    expect(await heldOf(fixture, 'users', person.id)).toBe(1000 + Math.floor((QUOTA - 1000) / 32))
    await toolkit.ledger.giveBackReserves('user')
    expect(await heldOf(fixture, 'users', person.id)).toBe(0)
    expect(fixture.failures).toEqual([])
  })
})
