import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { type DoorAnswer, openDoor } from '../door.ts'
import { type UnpackedChromium, unpackChromium } from './chromium.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where a test asks for a Chromium, by the number of its worker. */
    chromiumDoor: string
  }
}

export type ChromiumAnswer = DoorAnswer<{ endpoint: string }>

/**
 * A Chromium for each worker that has tests of the console, since pages of one share a clipboard. It is unpacked once, and
 * belongs to the process of the run, not to a worker that may be ended in the midst: no Chromium outlives the run.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let unpacking: Promise<UnpackedChromium> | undefined
  const door = await openDoor(async () => {
    unpacking ??= unpackChromium()
    const { launch } = await unpacking
    // How the run ends is vitest's to say; Playwright would end the process at once.
    const calm = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
    const server = await chromium.launchServer({ ...launch, ...calm, host: '127.0.0.1' })
    return { offer: { endpoint: server.wsEndpoint() }, stop: () => server.close() }
  })
  provide('chromiumDoor', door.url)
  return async () => {
    await door.close()
    const [unpacked] = await Promise.allSettled([unpacking]) // Whoever asked was told why it did not unpack.
    if (unpacked.status === 'fulfilled') await unpacked.value?.remove()
  }
}
