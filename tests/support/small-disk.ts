import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { whenDone } from './lifetime.ts'
import { testFolder } from './toolkit.ts'

const run = promisify(execFile)

/** Returns an empty folder on a disk of this size, removed when the test ends; undefined if this user cannot mount one. */
export async function smallDisk(kilobytes: number): Promise<string | undefined> {
  const folder = await testFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  whenDone(async () => void (await run('umount', [folder])))
  return folder
}
