import { expect, test } from 'vitest'
import { CHECK_MS, createHeartbeats } from '../../../cli/commands/serve/heartbeats.ts'
import { createRestartDelay } from '../../../cli/commands/serve/restart-delay.ts'

/** Heartbeats over a clock that `pass` advances, one check each second. */
function watched() {
  let now = 0
  const heartbeats = createHeartbeats<string>(() => now)
  const pass = (seconds: number, beating: readonly string[] = []) => {
    let hung: string[] = []
    for (let second = 0; second < seconds; second++) {
      now += CHECK_MS
      for (const worker of beating) heartbeats.onHeartbeat(worker)
      hung = heartbeats.hungWorkers()
    }
    return hung
  }
  const jump = (ms: number) => {
    now += ms
    return heartbeats.hungWorkers()
  }
  return { heartbeats, pass, jump }
}

test('a worker that is silent for more than ten seconds is hanging, one that sends heartbeats is not', () => {
  const { heartbeats, pass } = watched()
  for (const worker of ['silent', 'alive']) heartbeats.onListening(worker)
  expect(pass(1, ['silent', 'alive'])).toEqual([])
  expect(pass(10, ['alive'])).toEqual([])
  expect(pass(1, ['alive'])).toEqual(['silent'])
  heartbeats.onExit('silent')
  expect(pass(60, ['alive'])).toEqual([])
})

test('a worker may be silent for a minute while it starts', () => {
  const { heartbeats, pass } = watched()
  heartbeats.onStart('new')
  expect(pass(60)).toEqual([])
  expect(pass(1)).toEqual(['new'])
})

test('after a pause of the supervisor itself, the timeouts of all workers restart', () => {
  const { heartbeats, pass, jump } = watched()
  heartbeats.onListening('worker')
  pass(5, ['worker'])
  expect(jump(46_000)).toEqual([])
  expect(pass(10)).toEqual([])
  expect(pass(1)).toEqual(['worker'])
})

test('a worker restarts immediately after one crash, and with growing delays in a crash loop', () => {
  const delay = createRestartDelay()
  expect([1000, 1000, 1000, 1000].map(delay.after)).toEqual([0, 500, 1000, 2000])
  expect(Array.from({ length: 10 }, () => delay.after(1000)).at(-1)).toBe(30_000)
  // A long life ends the loop.
  expect(delay.after(61_000)).toBe(0)
  expect(delay.after(1000)).toBe(500)
})
