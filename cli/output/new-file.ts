import { openSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../core/error-parts.ts'
import { fileErrorText } from '../../core/messages/file-errors.ts'
import { randomHex } from '../../core/secrets.ts'
import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'

/** A file that is being written. */
export interface NewFile {
  descriptor: number
  /** Absolute path of the file being written; with `force` a temporary file beside the target. */
  writtenTo: string
  /** Completes the file: with `force`, moves it to its final path. */
  keep(): void
  /** Removes the incomplete file. An existing target stays unchanged. */
  discard(): void
}

/**
 * Opens a file that only its owner can read. With `force`, a complete new file replaces an existing file. Throws
 * FILE_EXISTS and FILE_UNWRITABLE.
 */
export function openNewFile(
  { folder, t, language }: Pick<Cli, 'folder' | 't' | 'language'>,
  path: string,
  { force }: { force: boolean },
): NewFile {
  const target = resolve(folder, path)
  const writtenTo = force ? `${target}.${randomHex(8)}.new` : target
  return {
    descriptor: openPrivateFile(writtenTo, { path, t, language }),
    writtenTo,
    keep: () => {
      if (force) renameSync(writtenTo, target)
    },
    discard: () => rmSync(writtenTo, { force: true }),
  }
}

function openPrivateFile(file: string, { path, t, language }: { path: string } & Pick<Cli, 't' | 'language'>): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') throw new CommandError('FILE_EXISTS', t('db.alreadyExists', { path }), { cause })
    throw unwritableFile({ t, language }, path, cause)
  }
}

/** Returns FILE_UNWRITABLE for a file that could not be created or written. */
export function unwritableFile(
  { t, language }: Pick<Cli, 't' | 'language'>,
  path: string,
  cause: unknown,
): CommandError {
  const message = fileErrorText(cause, language)
  return new CommandError('FILE_UNWRITABLE', t('db.cannotWrite', { path, message }), { cause })
}
