import { once } from 'node:events'
import { closeSync, writeSync } from 'node:fs'
import { extname } from 'node:path'
import type { LogFilter } from '../../../core/logs/filter.ts'
import type { Log } from '../../../core/logs/log.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { jsonText } from '../../json.ts'
import { csvLine, openNew } from '../../output-file.ts'
import { patientBatches } from '../../patience.ts'
import { printable } from '../../printable.ts'

type Format = 'csv' | 'jsonl'

/** Where batches of lines go; what it is called, for people. */
interface Sink {
  name: string
  /** Waits until there is room; false when nobody reads any more. */
  write(text: string): Promise<boolean>
  close(): void
}

/** Throws FILE_EXISTS, FILE_UNWRITABLE, INTERRUPTED after whole rows, and what reading throws. */
export async function exportLogs(
  cli: Cli,
  filter: LogFilter,
  { output, format }: { output: string | undefined; format: Format | undefined },
): Promise<void> {
  const kind = format ?? formatOf(cli, output)
  const { toolkit, actor } = await cli.open()
  const { total } = await toolkit.logs.list(actor, { ...filter, page: 1, pageSize: 1 })
  const signal = cli.interruption()
  const sink = output === undefined ? toStdout(cli) : toFile(cli, output)
  const progress = cli.progress({ title: cli.text('Writing'), total })
  let written = 0
  try {
    if (kind === 'csv') await sink.write(`${csvLine(Object.keys(CSV))}\n`)
    for await (const rows of patientBatches(cli, signal, () => toolkit.logs.scan(actor, filter, signal))) {
      if (signal.aborted || !(await sink.write(rows.map(lineOf[kind]).join('')))) break
      written += rows.length
      progress.at(written)
    }
  } catch (error) {
    if (!signal.aborted) {
      progress.end()
      cli.note(cli.say`Broken off: ${sink.name} has ${written} of ${total} rows.`)
      throw error
    }
  } finally {
    progress.end()
    sink.close()
  }
  if (signal.aborted) {
    throw new CommandError('INTERRUPTED', cli.say`interrupted: ${sink.name} has ${written} of ${total} rows`)
  }
  cli.note(cli.say`Wrote ${written} rows to ${sink.name}.`)
}

function formatOf(cli: Cli, output: string | undefined): Format {
  const ending = output === undefined ? '.jsonl' : extname(output).toLowerCase()
  if (ending === '.csv' || ending === '.jsonl') return ending.slice(1) as Format
  throw usageError(cli.say`--output: give a file that ends in .csv or .jsonl, or --format`)
}

function toFile(cli: Cli, path: string): Sink {
  const file = openNew(cli.folder, path)
  return {
    name: path,
    async write(text) {
      writeSync(file, text)
      return true
    },
    close: () => closeSync(file),
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

const lineOf: Record<Format, (row: Log) => string> = {
  jsonl: (row) => `${jsonText(row)}\n`,
  csv: (row) => `${csvLine(Object.values(CSV).map((value) => printable(String(value(row)))))}\n`,
}

/** The fields of a row as the API names them, with its time as people read it. */
const CSV: Record<string, (row: Log) => string | number | boolean> = {
  id: ({ id }) => id,
  time: ({ created_at }) => new Date(created_at * 1000).toISOString(),
  type: ({ type }) => type,
  user_id: ({ user_id }) => user_id,
  username: ({ username }) => username,
  token_id: ({ token_id }) => token_id,
  token_name: ({ token_name }) => token_name,
  model_name: ({ model_name }) => model_name,
  channel: ({ channel }) => channel,
  channel_name: ({ channel_name }) => channel_name,
  group: ({ group }) => group,
  prompt_tokens: ({ prompt_tokens }) => prompt_tokens,
  completion_tokens: ({ completion_tokens }) => completion_tokens,
  quota: ({ quota }) => quota,
  use_time: ({ use_time }) => use_time,
  is_stream: ({ is_stream }) => is_stream,
  request_id: ({ request_id }) => request_id,
  content: ({ content }) => content,
  other: ({ other }) => other,
}
