import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 25
const MAX_MS = 1000

/**
 * Waits a random time before the next attempt. The maximum time doubles with each attempt, up to `MAX_MS`.
 */
export function backOff(triedChannels: number): Promise<void> {
  return sleep(Math.random() * Math.min(FIRST_MS * 2 ** triedChannels, MAX_MS))
}
