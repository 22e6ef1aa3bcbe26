import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import type { ChromiumAnswer } from './chromium-server.ts'

let connecting: Promise<Browser | { reason: string }> | undefined

/** Returns this worker's Chromium, or why there is none; with CI=true throws instead. */
export async function findBrowser(): Promise<Browser | { reason: string }> {
  connecting ??= connect()
  const answer = await connecting
  if ('reason' in answer && process.env.CI === 'true') throw new Error(answer.reason)
  return answer
}

async function connect(): Promise<Browser | { reason: string }> {
  const door = `${inject('chromiumDoor')}/${process.env.VITEST_POOL_ID ?? '1'}`
  const answer = (await (await fetch(door)).json()) as ChromiumAnswer
  return 'reason' in answer ? answer : chromium.connect(answer.endpoint)
}

/** For the `beforeEach` of files that need a browser. */
export async function skipWithoutBrowser({ skip }: { skip: (note?: string) => never }): Promise<void> {
  const answer = await findBrowser()
  if (!('reason' in answer)) return
  console.warn(`Skipped: ${answer.reason}`)
  skip(answer.reason)
}
