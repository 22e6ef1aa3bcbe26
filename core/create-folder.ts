import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Returns the outermost created folder, or undefined if the folder existed.
 * Throws the system's error.
 *
 * Does not use Node's option `recursive`, which loops forever on /proc. There, the system always reports the parent
 * folder as missing.
 */
export function createFolder(path: string, mode = 0o777): string | undefined {
  const parent = dirname(path)
  const outermost = parent === path || existsSync(parent) ? undefined : createFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
    return outermost ?? path
  } catch (error) {
    // Another process may have created it at the same time.
    if (isFolder(path)) return outermost
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
