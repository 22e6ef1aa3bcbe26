import type { Cli } from './cli.ts'
import { readText, streamText } from './text-file.ts'

/** The text of a file; of stdin where the path is `-`. Without the mark that some editors begin files with. Throws FILE_UNREADABLE. */
export async function readSource(cli: Cli, path: string): Promise<string> {
  const text = path === '-' ? await cli.readInput() : await readText(cli, path)
  return text.replace(/^\ufeff/, '')
}

/** As `readSource`, as it comes: of a file of any size. `FILE_UNREADABLE` is thrown by the first step. */
export function streamSource(cli: Cli, path: string): AsyncIterable<string> {
  return path === '-' ? cli.streamInput() : streamText(cli, path)
}

/** What somebody gave for a flag: the text itself, or with `@file` that of a file and with `@-` that of stdin. */
export async function textOrFile(cli: Cli, given: string): Promise<string> {
  return given.startsWith('@') ? (await readSource(cli, given.slice(1))).trim() : given
}
