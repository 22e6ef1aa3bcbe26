import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOLDER = /^tollgate-upload-(\d+)-/
/** Longer than any upload takes. Needed because a process in another container can have the same pid. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000

/** Returns the prefix of an upload's folder, with the pid of the process that will remove it. */
export function uploadFolderName(pid = process.pid): string {
  return `tollgate-upload-${pid}-`
}

/** Removes the uploads of crashed processes. Call it at startup, before this process has uploads. */
export async function removeLeftoverUploads(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = FOLDER.exec(name)?.[1]
    if (pid === undefined || isAnother(Number(pid))) continue
    const path = join(folder, name)
    // Another starting process may be faster; recent folders may belong to a process in another container.
    const leftover = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < Date.now() - LEFTOVER_AGE_MS,
      () => false,
    )
    if (leftover) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether the pid belongs to another running process. After a restart in a container, this process often has the old pid. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
