import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileErrorText } from '../../core/messages/file-errors.ts'
import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'

/** Reads a text file. Throws FILE_UNREADABLE. */
export async function readText(cli: Cli, path: string): Promise<string> {
  try {
    return await readFile(resolve(cli.folder, path), 'utf8')
  } catch (cause) {
    throw unreadableFile(cli, path, cause)
  }
}

/** Streams a text file, without a byte order mark. Throws FILE_UNREADABLE. */
export async function* streamText(cli: Cli, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of createReadStream(resolve(cli.folder, path))) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    throw unreadableFile(cli, path, cause)
  }
}

/** Returns FILE_UNREADABLE for a file that could not be read. */
export const unreadableFile = (cli: Cli, path: string, cause: unknown): CommandError =>
  new CommandError(
    'FILE_UNREADABLE',
    cli.t('option.cannotRead', { path, message: fileErrorText(cause, cli.language) }),
    { cause },
  )
