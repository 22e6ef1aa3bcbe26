import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 25
const MAX_MS = 1000

/** Waits before another channel is asked: a chance time, up to twice as long after each. `asked`: how many were. */
export function backOff(asked: number): Promise<void> {
  return sleep(Math.random() * Math.min(FIRST_MS * 2 ** asked, MAX_MS))
}
