import { openSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { randomHex } from '../core/secrets.ts'
import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'

/** A file that is being written. */
export interface NewFile {
  descriptor: number
  /** Absolute path of what is written to; with `force` another file beside the one that is replaced in the end. */
  writtenTo: string
  /** Ends well: puts what was written in its place. */
  keep(): void
  /** Ends badly: removes what was written. A file that was there before stays. */
  discard(): void
}

/**
 * Opens a file that only its owner may read. One that exists is left alone, or with `force` replaced when the new one is whole. Throws
 * FILE_EXISTS and FILE_UNWRITABLE.
 */
export function openNewFile(
  { folder, say }: Pick<Cli, 'folder' | 'say'>,
  path: string,
  { force }: { force: boolean },
): NewFile {
  const target = resolve(folder, path)
  const writtenTo = force ? `${target}.${randomHex(8)}.new` : target
  return {
    descriptor: openPrivately(writtenTo, { path, say }),
    writtenTo,
    keep: () => {
      if (force) renameSync(writtenTo, target)
    },
    discard: () => rmSync(writtenTo, { force: true }),
  }
}

function openPrivately(file: string, { path, say }: { path: string; say: Cli['say'] }): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandError(
        'FILE_EXISTS',
        say`${path} exists already: give another name, or replace it with --force`,
        { cause },
      )
    throw new CommandError('FILE_UNWRITABLE', say`cannot write ${path}: ${message}`, { cause })
  }
}
