import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOLDER = /^tollgate-upload-(\d+)-/
/** Long after any upload: a process may live in a container of its own, where its number tells nothing. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000

/** How the name of an upload's folder begins: with the process that will remove it. */
export function uploadFolderName(pid = process.pid): string {
  return `tollgate-upload-${pid}-`
}

/** Removes the uploads of processes that died before they could. For the start, when this process has none yet. */
export async function removeLeftoverUploads(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = FOLDER.exec(name)?.[1]
    if (pid === undefined || isAnother(Number(pid))) continue
    const path = join(folder, name)
    // Another process that starts now may be quicker, and somebody else's folder is not ours to remove.
    const leftover = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < Date.now() - LEFTOVER_AGE_MS,
      () => false,
    )
    if (leftover) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether a process lives, and is not this one: after a restart in a container the number is often the same. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
