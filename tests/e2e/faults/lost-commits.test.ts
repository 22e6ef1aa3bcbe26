import { beforeEach, expect, test } from 'vitest'
import { CALL, openFaultFixture } from '../../support/fault-fixture.ts'
import type { FaultyTcp } from '../../support/faulty-tcp.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

const has = (pattern: RegExp) => (statements: readonly string[]) => statements.some((text) => pattern.test(text))
const RESERVE = has(/insert into "holds"|tollgate-reserve/)
const GIVE_BACK = has(/delete from "holds"|tollgate-return/)
const SETTLE = has(/insert into "logs"|tollgate-settle/)
const ENTRY = has(/insert into "ledger_entries"/)

test('the reply to the COMMIT of a reserve return is lost: two processes spend the balance once, and the ledger balances', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 100 * CALL.quota })
  const [first, second] = [await fixture.server(), await fixture.server()]
  const lost = (first.proxy as FaultyTcp).loseCommit({ isChosen: GIVE_BACK })
  const warmUp = await Promise.all([fixture.ask(first), fixture.ask(second)])
  expect(warmUp.map((answer) => answer?.status)).toEqual([200, 200])
  await lost

  const rush = Array.from({ length: 120 }, (_, at) => fixture.ask(at % 2 ? first : second))
  const served = (await Promise.all(rush)).filter((answer) => answer?.status === 200)

  expect(served).toHaveLength(98)
  await fixture.expectExactLedger()
  expect(await fixture.balance(fixture.person)).toBe(0)
}, 120_000)

test.each([
  ['a reserve', RESERVE],
  ['a charge', SETTLE],
])(
  'the reply to the COMMIT of %s is lost: the relay succeeds and is charged once',
  async (_, isChosen) => {
    const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota })
    const server = await fixture.server()
    const lost = (server.proxy as FaultyTcp).loseCommit({ isChosen })

    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.ask(server)))

    await lost
    expect(answers.map((answer) => answer?.status)).toEqual(Array(10).fill(200))
    await fixture.expectExactLedger()
  },
  120_000,
)

test('the reply to the COMMIT of a redemption is lost: it succeeds, and the code is credited once', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 0 })
  const server = await fixture.server()
  const code = await fixture.code(7000)
  const token = await fixture.toolkit.accessTokens.create(fixture.person)
  const lost = (server.proxy as FaultyTcp).loseCommit({ isChosen: ENTRY })

  const response = await fetch(`${server.url}/api/user/topup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token, 'tollgate-user': String(fixture.person.id) },
    body: JSON.stringify({ key: code }),
  })

  await lost
  expect(await response.json()).toMatchObject({ success: true, data: 7000 })
  expect(await fixture.balance(fixture.person)).toBe(7000)
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
}, 60_000)

test('connections cut after any number of bytes lose and duplicate no charge', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota })
  const server = await fixture.server()
  const proxy = server.proxy as FaultyTcp
  for (let round = 0; round < 12; round++) {
    proxy.cutAfter(200 + round * 157)
    proxy.cutAll()
    await Promise.all(Array.from({ length: 6 }, () => fixture.ask(server)))
  }
  expect(fixture.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(20)
  await fixture.expectExactLedger()
}, 180_000)
