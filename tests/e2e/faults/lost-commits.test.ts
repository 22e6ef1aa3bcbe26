import { beforeEach, expect, test } from 'vitest'
import { CALL, openFaultWorld } from '../../support/fault-world.ts'
import type { FaultyTcp } from '../../support/faulty-tcp.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

const has = (pattern: RegExp) => (statements: readonly string[]) => statements.some((text) => pattern.test(text))
const RESERVE = has(/insert into "holds"/)
const GIVE_BACK = has(/delete from "holds"/)
const SETTLE = has(/insert into "logs"|tollgate-settle/)
const ENTRY = has(/insert into "ledger_entries"/)

test('the reply to the COMMIT of a reserve return is lost: two processes spend the balance once, and the ledger balances', async () => {
  const world = await openFaultWorld({ database: 'postgres', balance: 100 * CALL.quota })
  const [first, second] = [await world.server(), await world.server()]
  const lost = (first.proxy as FaultyTcp).loseCommit({ isChosen: GIVE_BACK })
  const warmUp = await Promise.all([world.ask(first), world.ask(second)])
  expect(warmUp.map((answer) => answer?.status)).toEqual([200, 200])
  await lost

  const rush = Array.from({ length: 120 }, (_, at) => world.ask(at % 2 ? first : second))
  const served = (await Promise.all(rush)).filter((answer) => answer?.status === 200)

  expect(served).toHaveLength(98)
  await world.expectExactLedger()
  expect(await world.balance(world.person)).toBe(0)
}, 120_000)

test.each([
  ['a reserve', RESERVE],
  ['a charge', SETTLE],
])(
  'the reply to the COMMIT of %s is lost: the relay succeeds and is charged once',
  async (_, isChosen) => {
    const world = await openFaultWorld({ database: 'postgres', balance: 1000 * CALL.quota })
    const server = await world.server()
    const lost = (server.proxy as FaultyTcp).loseCommit({ isChosen })

    const answers = await Promise.all(Array.from({ length: 10 }, () => world.ask(server)))

    await lost
    expect(answers.map((answer) => answer?.status)).toEqual(Array(10).fill(200))
    await world.expectExactLedger()
  },
  120_000,
)

test('the reply to the COMMIT of a redemption is lost: it succeeds, and the code is credited once', async () => {
  const world = await openFaultWorld({ database: 'postgres', balance: 0 })
  const server = await world.server()
  const code = await world.code(7000)
  const token = await world.toolkit.accessTokens.create(world.person)
  const lost = (server.proxy as FaultyTcp).loseCommit({ isChosen: ENTRY })

  const response = await fetch(`${server.url}/api/user/topup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token, 'tollgate-user': String(world.person.id) },
    body: JSON.stringify({ key: code }),
  })

  await lost
  expect(await response.json()).toMatchObject({ success: true, data: 7000 })
  expect(await world.balance(world.person)).toBe(7000)
  expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true })
}, 60_000)

test('connections cut after any number of bytes lose and duplicate no charge', async () => {
  const world = await openFaultWorld({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await world.server()
  const proxy = server.proxy as FaultyTcp
  for (let round = 0; round < 12; round++) {
    proxy.cutAfter(200 + round * 157)
    proxy.cutAll()
    await Promise.all(Array.from({ length: 6 }, () => world.ask(server)))
  }
  expect(world.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(20)
  await world.expectExactLedger()
}, 180_000)
