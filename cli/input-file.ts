import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'

/** The text of a file; of stdin where the path is `-`. Throws FILE_UNREADABLE. */
export async function readText(cli: Cli, path: string): Promise<string> {
  if (path === '-') return cli.readInput()
  try {
    const text = await readFile(resolve(cli.folder, path), 'utf8')
    return text.replace(/^\ufeff/, '')
  } catch (cause) {
    throw new CommandError('FILE_UNREADABLE', cli.say`cannot read ${path}: ${(cause as Error).message}`, { cause })
  }
}

/** What somebody gave for a flag: the text itself, or with `@file` that of a file and with `@-` that of stdin. */
export async function textOrFile(cli: Cli, given: string): Promise<string> {
  return given.startsWith('@') ? (await readText(cli, given.slice(1))).trim() : given
}
