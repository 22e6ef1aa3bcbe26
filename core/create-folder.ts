import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './error-parts.ts'

/**
 * Creates a folder and its missing parents. Returns the outermost created folder, or undefined if the folder existed.
 * Throws the system's error.
 *
 * Node's `recursive` option is not used: it loops forever on /proc, where the system always reports the parent folder
 * as missing.
 */
export function createFolder(path: string, mode = 0o777): string | undefined {
  try {
    mkdirSync(path, { mode })
    return path
  } catch (error) {
    if (isFolder(path)) return undefined
    const parent = dirname(path)
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error
    const outermost = createFolder(parent, mode)
    if (outermost === undefined) return createInParent(path, mode)
    createFolder(path, mode)
    return outermost
  }
}

/** Creates a folder whose parent another process has created in the meantime. */
function createInParent(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode })
    return path
  } catch (error) {
    if (isFolder(path)) return undefined
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
