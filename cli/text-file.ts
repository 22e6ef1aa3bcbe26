import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'

/** A file as text. Throws FILE_UNREADABLE. */
export async function readText(cli: Cli, path: string): Promise<string> {
  try {
    return await readFile(resolve(cli.folder, path), 'utf8')
  } catch (cause) {
    throw new CommandError('FILE_UNREADABLE', cli.say`cannot read ${path}: ${(cause as Error).message}`, { cause })
  }
}
