import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { openNew, refuseStdout } from '../../output-file.ts'

/** The file that codes go to, one a line. */
export interface CodeFile {
  /** Whether it has more than what was added so far: then the next codes must be known before any are made. */
  readonly ahead: boolean
  /** Writes codes, as far as they are not there. Throws FILE_EXISTS when something else is. */
  add(codes: readonly string[]): void
  /** FILE_EXISTS: what the file has is no beginning of these codes. */
  foreign(): CommandError
  /** A new file that nothing was added to is gone again. */
  close(): void
}

/**
 * A new file that only its owner may read, or with `resume` one that an earlier run has begun and perhaps not ended a line of.
 * Throws FILE_EXISTS, FILE_UNWRITABLE.
 */
export function openCodeFile(
  cli: Pick<Cli, 'folder' | 'say'>,
  path: string,
  { resume, sizeMax }: { resume: boolean; sizeMax: number },
): CodeFile {
  refuseStdout(path)
  const foreign = () =>
    new CommandError(
      'FILE_EXISTS',
      cli.say`${path} exists already, and has not the codes of this request: give another --output`,
    )
  const begun = resume ? openBegun(resolve(cli.folder, path), { sizeMax, foreign, say: cli.say }) : undefined
  const file = begun?.file ?? openNew(cli.folder, path)
  const before = begun?.text ?? ''
  let at = 0
  return {
    get ahead() {
      return at < before.length
    },
    foreign,
    add(codes) {
      const text = codes.map((code) => `${code}\n`).join('')
      const there = before.slice(at, at + text.length)
      if (!text.startsWith(there)) throw foreign()
      // By position: two runs at once write the same bytes to the same place.
      let written = there.length
      while (written < text.length) written += writeSync(file, text.slice(written), at + written)
      at += text.length
    },
    close() {
      closeSync(file)
      if (!begun && at === 0) rmSync(resolve(cli.folder, path))
    },
  }
}

function openBegun(
  path: string,
  { sizeMax, foreign, say }: { sizeMax: number; foreign: () => CommandError } & Pick<Cli, 'say'>,
): { file: number; text: string } | undefined {
  let file: number
  try {
    file = openSync(path, 'r+')
  } catch (error) {
    // Nothing to go on with; why it cannot be opened is found out by making it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const { message } = error as Error
    throw new CommandError('FILE_UNWRITABLE', say`cannot write the --output file: ${message}`, { cause: error })
  }
  const stat = fstatSync(file)
  if (!stat.isFile() || stat.size > sizeMax) {
    closeSync(file)
    throw foreign()
  }
  return { file, text: readFileSync(file, 'latin1') }
}
