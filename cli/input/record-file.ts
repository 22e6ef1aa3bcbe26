import { extname } from 'node:path'
import { errorMessage } from '../../core/error-parts.ts'
import { isRecord } from '../../core/records.ts'
import type { Cli } from '../cli.ts'
import { usageError } from '../errors.ts'
import { CsvError, readCsv } from '../output/csv.ts'
import { readSource } from './input-file.ts'

export const RECORD_FORMATS = ['json', 'jsonl', 'yaml', 'csv'] as const
export type RecordFormat = (typeof RECORD_FORMATS)[number]

/** A record of a file, or the problem of an invalid record. `line` is the number of the record's first line, from 1. */
export type ParsedRecord =
  | { line: number; fields: Readonly<Record<string, unknown>> }
  | { line: number; problem: string }

const FORMAT_BY_EXTENSION: Readonly<Record<string, RecordFormat>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.csv': 'csv',
}

/**
 * Reads records from a file, or from stdin for `-`: a JSON array, JSON lines, a YAML list, or CSV with titles. The
 * default format depends on the file extension, else on the start of the text. Throws a usage error if the whole text
 * is empty or invalid.
 */
export async function readRecordFile(cli: Cli, path: string, format?: RecordFormat): Promise<ParsedRecord[]> {
  const text = await readSource(cli, path)
  const records = await READERS[format ?? FORMAT_BY_EXTENSION[extname(path).toLowerCase()] ?? formatOf(text)](cli, text)
  if (records.length === 0) throw usageError(cli.t('channel.isEmpty', { file: path === '-' ? 'stdin' : path }))
  return records
}

function formatOf(text: string): RecordFormat {
  const start = text.trimStart()
  if (start.startsWith('[')) return 'json'
  if (start.startsWith('{')) return 'jsonl'
  return start.startsWith('- ') ? 'yaml' : 'csv'
}

const READERS: Record<RecordFormat, (cli: Cli, text: string) => ParsedRecord[] | Promise<ParsedRecord[]>> = {
  json: parseList,
  yaml: parseList,
  jsonl: (cli, text) =>
    text.split('\n').flatMap((line, index): ParsedRecord[] => {
      if (line.trim() === '') return []
      try {
        return [recordOf(cli, index + 1, JSON.parse(line))]
      } catch (cause) {
        return [{ line: index + 1, problem: cli.t('channel.invalidJson', { message: errorMessage(cause) }) }]
      }
    }),
  csv(cli, text) {
    try {
      const [titles, ...lines] = readCsv(text)
      return lines.map(({ line, cells }) => {
        if (cells.length !== titles?.cells.length) {
          return {
            line,
            problem: cli.t('channel.hasCells', { count: cells.length, expected: titles?.cells.length ?? 0 }),
          }
        }
        const filledCells = titles.cells.flatMap((title, index) =>
          cells[index] === '' ? [] : [[title.trim(), cells[index]]],
        )
        return { line, fields: Object.fromEntries(filledCells) }
      })
    } catch (error) {
      if (error instanceof CsvError) throw usageError(cli.t('channel.lineUnclosedQuoteOrText', { line: error.line }))
      throw error
    }
  },
}

/** Parses a YAML or JSON list. JSON is also YAML, and the YAML parser reports line numbers. */
async function parseList(cli: Cli, text: string): Promise<ParsedRecord[]> {
  const { isSeq, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error) throw usageError(cli.t('channel.line', { line: lines.linePos(error.pos[0]).line, message: error.message }))
  const list = document.contents
  if (list === null) return []
  if (!isSeq(list)) throw usageError(cli.t('channel.theFileMustContainAList'))
  return list.items.map((item) => {
    const node = item as { range?: [number, number, number]; toJS(document: unknown): unknown }
    return recordOf(cli, lines.linePos(node.range?.[0] ?? 0).line, node.toJS(document))
  })
}

function recordOf(cli: Cli, line: number, value: unknown): ParsedRecord {
  return isRecord(value) ? { line, fields: value } : { line, problem: cli.t('channel.isNotAnObjectWithFields') }
}
