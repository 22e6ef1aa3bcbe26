import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testFolder } from './toolkit.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** Whether processes can be started with shifted clocks. */
export const hasFakeTime = existsSync(LIBRARY)
if (!hasFakeTime) console.warn('Not tested: wrong clocks (libfaketime is not installed: apt-get install faketime)')

const environment = { LD_PRELOAD: LIBRARY, FAKETIME_DONT_FAKE_MONOTONIC: '1' }

/** Returns the environment of a process with a shifted clock, such as `+60s`; empty without libfaketime. */
export const wrongClock = (offset: string): Record<string, string> =>
  hasFakeTime ? { ...environment, FAKETIME: offset } : {}

/** Returns the environment of processes whose clock can be changed while they run: `set('-1h')`. */
export async function settableClock() {
  const file = join(await testFolder(), 'offset')
  const set = (offset: string) => writeFile(file, `${offset}\n`)
  await set('+0s')
  return { environment: { ...environment, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }, set }
}
