import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 25
const MAX_MS = 1000

/**
 * Waits a random time before the next channel; its maximum doubles with each attempt. `asked` is the number of attempts so far.
 */
export function backOff(asked: number): Promise<void> {
  return sleep(Math.random() * Math.min(FIRST_MS * 2 ** asked, MAX_MS))
}
