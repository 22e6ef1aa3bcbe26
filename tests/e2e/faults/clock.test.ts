import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hasFakeTime, settableClock } from '../../support/fake-time.ts'
import { CALL, openFaultFixture, until } from '../../support/fault-fixture.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

const HOUR_S = 3600
/** Two heartbeats and a look for dead processes. */
const LOOKS_MS = 12_000

test.for(['postgres', 'sqlite'] as const)(
  'setting the clock back one hour under a running gateway ends no epoch, and all replies are charged once (%s)',
  { timeout: 90_000 },
  async (database, context) => {
    if (!hasFakeTime) return context.skip('libfaketime is not installed')
    if (database === 'postgres') await skipWithoutPostgres(context)
    const waiting: Exchange[] = []
    const reply = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(9, 1)))
    const fixture = await openFaultFixture({
      database,
      balance: 40 * CALL.quota,
      answer: (exchange) => void (exchange.body.user === 'wait' ? waiting.push(exchange) : reply(exchange)),
    })
    const clock = await settableClock()
    const [changed, other] = [await fixture.server(clock.environment), await fixture.server()]
    const open = Array.from({ length: 10 }, (_, at) => fixture.ask(at % 2 ? changed : other, { user: 'wait' }))
    await until(() => waiting.length === 10)
    const epochs = () => fixture.toolkit.db.reader('nodes').orderBy('id').pluck('id')
    const before = await epochs()

    const setAt = Date.now() / 1000
    await clock.set('-1h')
    await sleep(LOOKS_MS)
    const more = await Promise.all(Array.from({ length: 10 }, (_, at) => fixture.ask(at % 2 ? changed : other)))
    for (const exchange of waiting) reply(exchange)
    const answers = [...(await Promise.all(open)), ...more]

    expect(answers.map((answer) => answer?.status)).toEqual(Array(20).fill(200))
    expect(await epochs()).toEqual(before)
    const times: number[] = await fixture.toolkit.db.reader('logs').whereNotNull('request_id').pluck('created_at')
    expect(times.filter((time) => time < setAt - HOUR_S / 2)).toHaveLength(10)
    await fixture.expectExactLedger()
    expect(await fixture.balance(fixture.person)).toBe(20 * CALL.quota)
  },
)
