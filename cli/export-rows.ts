import { once } from 'node:events'
import { closeSync, writeSync } from 'node:fs'
import { extname } from 'node:path'
import type { Cli } from './cli.ts'
import { CommandError, usageError } from './errors.ts'
import { jsonText } from './json.ts'
import { openNewFile } from './new-file.ts'
import { csvLine, refuseStdout } from './output-file.ts'
import { patientBatches } from './patience.ts'

type Format = 'csv' | 'jsonl'

/** What is exported, and the columns of its CSV. */
export interface Exported<T> {
  /** How many there are; absent if they are not counted. */
  total?: number
  batches(signal: AbortSignal): AsyncIterable<readonly T[]>
  csv: Readonly<Record<string, (row: T) => string | number | boolean>>
}

/** Where batches of lines go; what it is called, for people. */
interface Sink {
  name: string
  /** Waits until there is room; false when nobody reads any more. */
  write(text: string): Promise<boolean>
  /** With `force`, only what is whole replaces the file that was there. */
  close(isWhole: boolean): void
}

/** Throws FILE_EXISTS, FILE_UNWRITABLE, INTERRUPTED after whole rows, and what reading throws. */
export async function exportRows<T>(
  cli: Cli,
  {
    output,
    format,
    force = false,
  }: { output?: string | undefined; format?: Format | undefined; force?: boolean | undefined },
  open: () => Promise<Exported<T>>,
): Promise<void> {
  const kind = format ?? formatOf(cli, output)
  const { total, batches, csv } = await open()
  const signal = cli.interruption()
  const sink = output === undefined ? toStdout(cli) : toFile(cli, output, { force })
  const progress = cli.progress({ title: cli.text('Writing'), total: total ?? 0 })
  const lineOf: Record<Format, (row: T) => string> = {
    jsonl: (row) => `${jsonText(row)}\n`,
    csv: (row) => `${csvLine(Object.values(csv).map((value) => String(value(row))))}\n`,
  }
  let written = 0
  let isRead = true
  let isWhole = false
  try {
    if (kind === 'csv') await sink.write(`${csvLine(Object.keys(csv))}\n`)
    for await (const rows of patientBatches(cli, signal, () => batches(signal))) {
      if (signal.aborted) break
      isRead = await sink.write(rows.map(lineOf[kind]).join(''))
      if (!isRead) break
      written += rows.length
      progress.at(written)
    }
    isWhole = !signal.aborted
  } catch (error) {
    if (!signal.aborted) {
      progress.end()
      cli.note(
        total === undefined
          ? cli.say`Broken off: ${sink.name} has ${written} rows.`
          : cli.say`Broken off: ${sink.name} has ${written} of ${total} rows.`,
      )
      throw error
    }
  } finally {
    progress.end()
    sink.close(isWhole)
    if (force && !isWhole && output !== undefined) cli.note(cli.say`${output} is as it was.`)
  }
  if (signal.aborted) {
    throw new CommandError(
      'INTERRUPTED',
      total === undefined
        ? cli.say`interrupted: ${sink.name} has ${written} rows`
        : cli.say`interrupted: ${sink.name} has ${written} of ${total} rows`,
    )
  }
  // A reader that closed the pipe, such as `head`, has what it wanted.
  if (isRead) cli.note(cli.say`Wrote ${written} rows to ${sink.name}.`)
}

function formatOf(cli: Cli, output: string | undefined): Format {
  const ending = output === undefined ? '.jsonl' : extname(output).toLowerCase()
  if (ending === '.csv' || ending === '.jsonl') return ending.slice(1) as Format
  throw usageError(cli.say`--output: give a file that ends in .csv or .jsonl, or --format`)
}

function toFile(cli: Cli, path: string, { force }: { force: boolean }): Sink {
  refuseStdout(path)
  const file = openNewFile(cli, path, { force })
  return {
    name: path,
    async write(text) {
      writeSync(file.descriptor, text)
      return true
    },
    close(isWhole) {
      closeSync(file.descriptor)
      if (isWhole) file.keep()
      else if (force) file.discard()
    },
  }
}

function toStdout({ stdout }: Cli): Sink {
  return {
    name: 'stdout',
    async write(text) {
      if (!stdout.writable) return false
      if (stdout.write(text)) return true
      // A reader that closes the pipe ends this with an error; it has seen enough.
      return once(stdout, 'drain').then(
        () => true,
        () => false,
      )
    },
    close() {},
  }
}
