import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 25
const MAX_MS = 1000

/**
 * Waits a random time before the next attempt. The maximum doubles with each attempt, up to `MAX_MS`. `asked` is the
 * number of channels tried so far.
 */
export function backOff(asked: number): Promise<void> {
  return sleep(Math.random() * Math.min(FIRST_MS * 2 ** asked, MAX_MS))
}
