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
const REFILL_MS = 3

interface Load {
  readonly sinceMs?: number
  readonly seconds: number
  readonly perSecond: number
}

/** Sends requests at this rate, from a time of both clocks, and returns how many refills each second needed. */
function refillsOf(counter: Counter, { sinceMs = 0, seconds, perSecond }: Load): number[] {
  const refills = new Array<number>(seconds).fill(0)
  let refilledMs = 0
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const nowMs = sinceMs + (sent * 1000) / perSecond
    // Requests that arrive meanwhile wait.
    if (nowMs < refilledMs || counter.take(1, nowMs)) continue
    counter.waiting.push({ want: { quota: 1 }, resolve() {}, reject() {} })
    const made = counter.prepare(nowMs)
    if (!made) continue
    const second = Math.floor((nowMs - sinceMs) / 1000)
    refills[second] = (refills[second] ?? 0) + 1
    refilledMs = nowMs + REFILL_MS
    counter.isBusy = false
    const { owed, advance } = made.ask
    const part = partAt(counter.limit, nowMs)
    const reply = {
      part,
      grants: [1],
      taken: owed + 1 + advance,
      remaining: AMOUNT,
      availableAt: 0,
      isFirstExcess: false,
    }
    counter.accept(made.batch, reply, { offsetMs: AHEAD_MS, nowMs })
  }
  return refills
}

test.each([
  ['rolling minutes', LIMIT],
  ['days', { ...LIMIT, period: 'day', time_zone: 'UTC' } as const],
])('a steady load of %s refills its share at most four times a second', (_, limit) => {
  const refills = refillsOf(new Counter(limit, '1'), { seconds: 10, perSecond: 2000 })

  expect(Math.max(...refills.slice(1))).toBeLessThanOrEqual(4)
})

test('a load that falls keeps no larger share than it needs', () => {
  const counter = new Counter(LIMIT, '1')
  refillsOf(counter, { seconds: 5, perSecond: 2000 })
  refillsOf(counter, { sinceMs: 5000, seconds: 2, perSecond: 10 })

  expect(counter.spare).toBeLessThan(30)
})
