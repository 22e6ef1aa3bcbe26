import type { Cli } from '../cli.ts'
import { readText, streamText } from './text-file.ts'

/** Reads a file, or stdin for `-`, without a byte order mark. Throws FILE_UNREADABLE. */
export async function readSource(cli: Cli, path: string): Promise<string> {
  const text = path === '-' ? await cli.readInput() : await readText(cli, path)
  return text.replace(/^\ufeff/, '')
}

/** Streams a file of any size, or stdin for `-`. Reading the first chunk throws FILE_UNREADABLE. */
export function streamSource(cli: Cli, path: string): AsyncIterable<string> {
  return path === '-' ? cli.streamInput() : streamText(cli, path)
}

/** Returns the text, the content of the file for `@file`, or stdin for `@-`. */
export async function textOrFile(cli: Cli, given: string): Promise<string> {
  return given.startsWith('@') ? (await readSource(cli, given.slice(1))).trim() : given
}
