import { once } from 'node:events'
import { closeSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Cli } from '../cli.ts'
import { CommandError, usageError } from '../errors.ts'
import { withRetryInParts } from '../run/retry.ts'
import { jsonText } from './json.ts'
import { openNewFile, unwritableFile } from './new-file.ts'
import { csvLine, refuseStdout } from './output-file.ts'

type Format = 'csv' | 'jsonl'

/** Rows to export, and their CSV columns. */
interface Exported<T> {
  /** Number of rows; absent if not counted. */
  total?: number
  batches(signal: AbortSignal): AsyncIterable<readonly T[]>
  csv: Readonly<Record<string, (row: T) => string | number | boolean>>
}

/** Destination of the lines; `name` is for messages. */
interface Sink {
  name: string
  /**
   * Writes a text and waits until the destination accepts more. Returns false if the reader has closed the pipe. If
   * writing a file fails, removes the file, because its last row is incomplete, and throws FILE_UNWRITABLE.
   */
  write(text: string): Promise<boolean>
  /** Closes the destination. With `force`, replaces the existing file only if the export is complete. */
  close(isComplete: boolean): void
}

/** Exports rows to a file or stdout. Throws FILE_EXISTS, FILE_UNWRITABLE, INTERRUPTED, and read errors. */
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
  const progress = cli.progress({ title: cli.t('log.writing'), total })
  progress.at(0)
  const lineOf: Record<Format, (row: T) => string> = {
    jsonl: (row) => `${jsonText(row)}\n`,
    csv: (row) => `${csvLine(Object.values(csv).map((value) => String(value(row))))}\n`,
  }
  let written = 0
  let isReaderConnected = true
  let isComplete = false
  try {
    if (kind === 'csv') await sink.write(`${csvLine(Object.keys(csv))}\n`)
    for await (const rows of withRetryInParts(cli, signal, () => batches(signal))) {
      if (signal.aborted) break
      isReaderConnected = await sink.write(rows.map(lineOf[kind]).join(''))
      if (!isReaderConnected) break
      written += rows.length
      progress.at(written)
    }
    isComplete = !signal.aborted
  } catch (error) {
    if (!signal.aborted) {
      progress.end()
      if (isUnwritable(error)) throw error
      cli.note(
        total === undefined
          ? cli.t('audit.incompleteHasRows', { name: sink.name, count: written })
          : cli.t('log.incompleteHasOfRows', { name: sink.name, written, count: total }),
      )
      throw error
    }
  } finally {
    progress.end()
    sink.close(isComplete)
    if (force && !isComplete && output !== undefined) cli.note(cli.t('db.isUnchanged', { output }))
  }
  if (signal.aborted) {
    throw new CommandError(
      'INTERRUPTED',
      total === undefined
        ? cli.t('audit.interruptedHasRows', { name: sink.name, count: written })
        : cli.t('log.interruptedHasOfRows', { name: sink.name, written, count: total }),
    )
  }
  // No note if the reader, such as `head`, has closed the pipe.
  if (isReaderConnected) cli.note(cli.t('log.wroteRows', { count: written, name: sink.name }))
}

/** Whether a write failed. The sink has then already removed the file. */
const isUnwritable = (error: unknown): boolean => error instanceof CommandError && error.code === 'FILE_UNWRITABLE'

function formatOf(cli: Cli, output: string | undefined): Format {
  const ending = output === undefined ? '.jsonl' : extname(output).toLowerCase()
  if (ending === '.csv' || ending === '.jsonl') return ending.slice(1) as Format
  throw usageError(cli.t('log.outputPassAFile'))
}

function toFile(cli: Cli, path: string, { force }: { force: boolean }): Sink {
  refuseStdout(path)
  const file = openNewFile(cli, path, { force })
  return {
    name: path,
    async write(text) {
      try {
        // Unlike writeSync, writeFileSync continues after a partial write.
        writeFileSync(file.descriptor, text)
        return true
      } catch (cause) {
        file.discard()
        throw unwritableFile(cli, path, cause)
      }
    },
    close(isComplete) {
      closeSync(file.descriptor)
      if (isComplete) file.keep()
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
      // A closed pipe rejects this promise.
      return once(stdout, 'drain').then(
        () => true,
        () => false,
      )
    },
    close() {},
  }
}
