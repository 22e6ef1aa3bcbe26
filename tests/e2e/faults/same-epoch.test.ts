import { beforeEach, expect, test } from 'vitest'
import { CALL, openFaultFixture, until } from '../../support/fault-fixture.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

test('a process that finds another with its own id starts a new epoch, and its open relays are charged once', async () => {
  const waiting: Exchange[] = []
  const fixture = await openFaultFixture({
    database: 'postgres',
    balance: 30 * CALL.quota,
    answer: (exchange) => void waiting.push(exchange),
  })
  const [cloned, other] = [await fixture.server(), await fixture.server()]
  const open = Array.from({ length: 10 }, (_, at) => fixture.ask(at < 8 ? cloned : other))
  await until(() => waiting.length === 10)
  const { reader } = fixture.toolkit.db
  const holders = await reader('holds').where({ account: 'user' }).orderBy('quota', 'desc').pluck('node_id')
  const [id] = holders as [string]

  // A copy of the process, made with its machine, beats under the same id.
  await fixture.toolkit.db.transaction((trx) => trx('nodes').where({ id }).increment('beats', 7))
  await until(async () => (await reader('nodes').where({ id }).first('id')) === undefined, 30_000)
  await until(async () => (await reader('holds').where({ node_id: id }).first('quota')) === undefined)
  for (const exchange of waiting.splice(0)) sendJson(exchange, completion('ok', usage(9, 1)))

  expect((await Promise.all(open)).map((answer) => answer?.status)).toEqual(Array(10).fill(200))
  await fixture.expectExactLedger()
  expect(await fixture.balance(fixture.person)).toBe(20 * CALL.quota)
  expect(await reader('nodes').select('id')).toHaveLength(2)
}, 90_000)
