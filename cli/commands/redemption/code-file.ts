import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../../core/error-parts.ts'
import { fileErrorText } from '../../../core/messages/file-errors.ts'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { unwritableFile } from '../../output/new-file.ts'
import { openNew, refuseStdout } from '../../output/output-file.ts'

/** The output file, one code per line. */
export interface CodeFile {
  /**
   * Whether the file has more content than the codes added so far. If so, no codes may be created, because the new
   * codes could differ from the rest of the content.
   */
  readonly hasMoreContent: boolean
  /** Writes the codes that the file lacks. Throws FILE_EXISTS if the file has other content, and FILE_UNWRITABLE. */
  add(codes: readonly string[]): void
  /** Returns a FILE_EXISTS error, which says that the file's content differs from the codes. */
  contentDiffers(): CommandError
  /** Closes the file; deletes it if it is new and empty. */
  close(): void
}

/**
 * Creates a file that only its owner can read. With `resume`, opens the file of an earlier run if it exists; that file
 * may end in the middle of a line. Throws FILE_EXISTS and FILE_UNWRITABLE.
 */
export function openCodeFile(
  cli: Pick<Cli, 'folder' | 't' | 'language'>,
  path: string,
  { resume, sizeMax }: { resume: boolean; sizeMax: number },
): CodeFile {
  refuseStdout(path)
  const contentDiffers = () =>
    new CommandError('FILE_EXISTS', cli.t('redemption.alreadyExistsAndDoesNotContain', { path }))
  const existingFile = resume
    ? openExisting(resolve(cli.folder, path), { sizeMax, contentDiffers, t: cli.t, language: cli.language })
    : undefined
  const file = existingFile?.file ?? openNew(cli, path)
  const before = existingFile?.text ?? ''
  let position = 0
  return {
    get hasMoreContent() {
      return position < before.length
    },
    contentDiffers,
    add(codes) {
      const text = codes.map((code) => `${code}\n`).join('')
      const existingPart = before.slice(position, position + text.length)
      if (!text.startsWith(existingPart)) throw contentDiffers()
      // Writes at a given position, so that two concurrent runs write the same bytes to the same place.
      let written = existingPart.length
      try {
        while (written < text.length) written += writeSync(file, text.slice(written), position + written)
      } catch (cause) {
        throw unwritableFile(cli, path, cause)
      }
      position += text.length
    },
    close() {
      closeSync(file)
      if (!existingFile && position === 0) rmSync(resolve(cli.folder, path))
    },
  }
}

function openExisting(
  path: string,
  {
    sizeMax,
    contentDiffers,
    t,
    language,
  }: { sizeMax: number; contentDiffers: () => CommandError } & Pick<Cli, 't' | 'language'>,
): { file: number; text: string } | undefined {
  let file: number
  try {
    file = openSync(path, 'r+')
  } catch (error) {
    // The file does not exist; `openNew` creates it or reports why it cannot.
    if (errorCode(error) === 'ENOENT') return undefined
    const reason = t('redemption.cannotWriteTheOutputFile', { message: fileErrorText(error, language) })
    throw new CommandError('FILE_UNWRITABLE', reason, { cause: error })
  }
  const stat = fstatSync(file)
  if (!stat.isFile() || stat.size > sizeMax) {
    closeSync(file)
    throw contentDiffers()
  }
  return { file, text: readFileSync(file, 'latin1') }
}
