import { expect, test } from 'vitest'
import { Counter } from '../../../core/limits/counter.ts'
import type { CountedLimit } from '../../../core/limits/limit.ts'
import { partAt } from '../../../core/limits/windows.ts'

const AMOUNT = 1_000_000_000
const LIMIT: CountedLimit = {
  id: 1,
  subject: 'user',
  subject_id: '*',
  measure: 'requests',
  period: 'minute',
  time_zone: '',
  amount: AMOUNT,
  action: 'reject',
  wait_seconds: 0,
}
/** This process takes the database's clock to be later than it is, so that windows end early, never late. */
const AHEAD_MS = 4

const TICK_MS = 100

interface Load {
  readonly sinceMs?: number
  readonly seconds: number
  readonly perSecond: number
}

/** Grants what the counter requests, like a database while the limit is far away. */
function exchange(counter: Counter, nowMs: number): void {
  const made = counter.prepare(nowMs)
  if (!made) return
  const { owed, advance, nextAdvance, start } = made.request
  const part = partAt(counter.limit, Math.max(nowMs, start))
  const reply = {
    part,
    grants: made.batch.map(() => 1),
    taken: owed + made.batch.length + advance,
    next: nextAdvance > 0 ? { part: partAt(counter.limit, part.end), taken: nextAdvance } : undefined,
    remaining: AMOUNT,
    availableAt: 0,
    isFirstExcess: false,
  }
  counter.isBusy = false
  counter.accept(made.batch, reply, { offsetMs: AHEAD_MS, nowMs })
}

/** What a limiter does at each tick. */
function tick(counter: Counter, nowMs: number): void {
  counter.age()
  counter.updateDue(nowMs, TICK_MS)
}

/** Sends requests at this rate, from a time of both clocks. Returns the exchanges and the waiting requests of each second. */
function loaded(counter: Counter, { sinceMs = 0, seconds, perSecond }: Load): { exchanges: number[]; waits: number[] } {
  const exchanges = new Array<number>(seconds).fill(0)
  const waits = new Array<number>(seconds).fill(0)
  let tickedMs = sinceMs
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const nowMs = sinceMs + (sent * 1000) / perSecond
    const second = Math.floor((nowMs - sinceMs) / 1000)
    const count = (all: number[]) => {
      all[second] = (all[second] ?? 0) + 1
    }
    if (nowMs - tickedMs >= TICK_MS) {
      tickedMs = nowMs
      if (nowMs >= counter.endsAtMs) counter.expire(nowMs)
      tick(counter, nowMs)
      if (counter.isDue) {
        count(exchanges)
        exchange(counter, nowMs)
      }
    }
    if (counter.take(1, nowMs)) continue
    counter.waiting.push({ want: { quota: 1 }, resolve() {}, reject() {} })
    count(waits)
    count(exchanges)
    exchange(counter, nowMs)
  }
  return { exchanges, waits }
}

test.each([
  ['rolling minutes', LIMIT, 2],
  ['days', { ...LIMIT, period: 'day', time_zone: 'UTC' } as const, 1],
])('requests of a steady load do not wait for shares of %s', (_, limit, most) => {
  const { exchanges, waits } = loaded(new Counter(limit, '1'), { seconds: 10, perSecond: 2000 })

  expect(waits.slice(1)).toEqual(new Array(9).fill(0))
  expect(Math.max(...exchanges.slice(1))).toBeLessThanOrEqual(most)
})

test('a load that falls keeps no larger share than it needs', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { seconds: 5, perSecond: 2000 })
  loaded(counter, { sinceMs: 5000, seconds: 2, perSecond: 10 })

  expect(counter.spare).toBeLessThan(30)
})

test('near the limit nothing is taken in advance', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { seconds: 1, perSecond: 2000 })
  counter.remaining = 1000
  counter.take(counter.spare, 900)
  tick(counter, 900)

  expect(counter.isDue).toBe(false)
})

test('a part that has ended makes nothing due', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { sinceMs: 700, seconds: 1, perSecond: 2000 })
  tick(counter, 1799)
  expect(counter.isDue).toBe(true)
  counter.expire(counter.endsAtMs)

  expect(counter.isDue).toBe(false)
  expect(counter.prepare(2000)?.request).toMatchObject({ advance: 0, nextAdvance: 0 })
})

test('a reply for a part that has ended moves its requests to the current one', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { sinceMs: 940, seconds: 1, perSecond: 2000 })
  tick(counter, 1950)
  exchange(counter, 1950)
  counter.take(counter.spare, 1960)
  let granted: number | undefined
  counter.waiting.push({ want: { quota: 5 }, resolve: (amount) => (granted = amount), reject() {} })
  const made = counter.prepare(1970)
  counter.expire(counter.endsAtMs)
  const { size, used } = counter
  const part = partAt(LIMIT, 1970)
  const reply = {
    part,
    grants: [5],
    taken: 8,
    next: undefined,
    remaining: AMOUNT,
    availableAt: 0,
    isFirstExcess: false,
  }
  counter.accept(made?.batch ?? [], reply, { offsetMs: AHEAD_MS, nowMs: 2000 })

  expect(granted).toBe(5)
  expect(counter).toMatchObject({ start: 2000, size, used: used + 5 })
  expect(counter.returns.get(part.start)).toBe(8)
})

test('amounts that were counted in no part are not served again', () => {
  const counter = new Counter(LIMIT, '1')
  counter.take(0, 0)
  counter.correct(60, -1)

  expect(counter).toMatchObject({ used: 0, size: 0 })
})

test('the share of a next part that nothing uses goes back', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { sinceMs: 940, seconds: 1, perSecond: 2000 })
  const [start, end] = [counter.start, counter.endsAtMs]
  counter.expire(end)
  expect(counter.start).toBe(start + 1000)
  const { size } = counter
  counter.returnSpare()

  expect(counter.returns.get(start + 1000)).toBe(size)
  expect(counter.isEmpty).toBe(false)
  exchange(counter, end)
  expect(counter.isEmpty).toBe(true)
})

test('what was used before an exchange makes nothing due after it', () => {
  const counter = new Counter(LIMIT, '1')
  loaded(counter, { seconds: 1, perSecond: 2000 })
  counter.isBusy = true
  counter.age()
  counter.age()
  counter.isBusy = false
  counter.take(counter.spare, 1100)
  tick(counter, 1100)
  expect(counter.isDue).toBe(true)
  counter.age()
  tick(counter, 1300)

  expect(counter.isDue).toBe(false)
  expect(counter.idleTicks).toBe(2)
})
