import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../core/error-parts.ts'

const FOLDER = /^tollgate-upload-(\d+)-/
/**
 * Minimum age in ms of a folder to remove, which is longer than any upload takes. A younger folder may be in use by a
 * process in another container. Pids of other containers have no meaning here.
 */
const LEFTOVER_AGE_MS = 60 * 60 * 1000

/** Returns the prefix of an upload's folder, with the pid, so that later processes can check if this process runs. */
export function uploadFolderName(pid = process.pid): string {
  return `tollgate-upload-${pid}-`
}

/** Removes the uploads of crashed processes from `folder`. Must run at startup, before this process has uploads. */
export async function removeLeftoverUploads(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = FOLDER.exec(name)?.[1]
    if (pid === undefined || isOtherProcess(Number(pid))) continue
    const path = join(folder, name)
    // `stat` fails if another starting process has already removed the folder.
    const isOld = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < Date.now() - LEFTOVER_AGE_MS,
      () => false,
    )
    if (isOld) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Whether a pid belongs to another running process. False for this process, because its crashed predecessor may have
 * had the same pid in a container.
 */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
