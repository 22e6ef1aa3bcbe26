import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { type DoorAnswer, openDoor } from '../door.ts'
import { type UnpackedChromium, unpackChromium } from './chromium.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL from which a test gets a Chromium, by worker number. */
    chromiumDoor: string
  }
}

export type ChromiumAnswer = DoorAnswer<{ endpoint: string }>

/**
 * Starts a Chromium for each worker with console tests, because pages of one browser share a clipboard. Chromium is
 * unpacked once. The main process owns all Chromiums, because workers may be killed, and no Chromium must outlive the
 * run.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let unpacking: Promise<UnpackedChromium> | undefined
  const door = await openDoor(async () => {
    unpacking ??= unpackChromium()
    const { launch } = await unpacking
    // Vitest handles the signals. Playwright would end the process at once.
    const calm = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
    const server = await chromium.launchServer({ ...launch, ...calm, host: '127.0.0.1' })
    return { offer: { endpoint: server.wsEndpoint() }, stop: () => server.close() }
  })
  provide('chromiumDoor', door.url)
  return async () => {
    await door.close()
    const [unpacked] = await Promise.allSettled([unpacking]) // The clients have received the error of a failed unpacking.
    if (unpacked.status === 'fulfilled') await unpacked.value?.remove()
  }
}
