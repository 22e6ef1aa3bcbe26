import { LOG_TYPE } from '../logs/log.ts'
import type { ImportedLimit } from './limits.ts'
import type { RowKind } from './mappers/mapper.ts'
import type { SourceShape } from './product.ts'
import { readAll, type Source, type SourceRow, sumSqlOf } from './sources/source.ts'

/** Contents of a source at one moment. Logs and counts can have millions of rows, so only their bounds and sums. */
export interface SourceContents {
  rows: Readonly<Record<RowKind, SourceRow[]>>
  /** Limits of users and tokens. Absent if the source has no limits. */
  limits?: readonly ImportedLimit[]
  options: ReadonlyMap<string, string>
  logs: LogBounds
  counts: { rows: number; quota: number; maxId: number }
  /** The log row of the last charge of each model. */
  lastCharges: SourceRow[]
}

/** Number of rows, sum of their quota, lowest and highest id. Without rows, `maxId` is -1. */
export interface LogBounds {
  rows: number
  quota: number
  minId: number
  maxId: number
}

const NO_LOGS: LogBounds = { rows: 0, quota: 0, minId: 0, maxId: -1 }

/** Reads one snapshot of the source, without logs and counts. */
export function readContents(source: Source, { tables }: SourceShape): Promise<SourceContents> {
  const q = source.quote
  const rowsOf = (table: string) => (tables.has(table) ? readAll(source, table) : Promise.resolve([]))
  return source.snapshot(async () => {
    const rows = {
      users: await rowsOf('users'),
      tokens: await rowsOf('tokens'),
      channels: await rowsOf('channels'),
      redemptions: await rowsOf('redemptions'),
      top_ups: await rowsOf('top_ups'),
      midjourneys: await rowsOf('midjourneys'),
      tasks: await rowsOf('tasks'),
    }
    const options = tables.has('options') ? await source.query(`SELECT * FROM ${q('options')}`) : []
    const logs = tables.has('logs') ? await boundsOf(source, 'logs') : NO_LOGS
    const counts = tables.has('quota_data') ? await boundsOf(source, 'quota_data') : NO_LOGS
    const lastCharges = tables.has('logs')
      ? await source.query(
          `SELECT * FROM ${q('logs')} WHERE ${q('id')} IN (
            SELECT MAX(${q('id')}) FROM ${q('logs')} WHERE ${q('type')} = ${LOG_TYPE.consumption} GROUP BY ${q('model_name')})`,
        )
      : []
    return {
      rows,
      options: new Map(options.map(({ key, value }) => [String(key ?? ''), String(value ?? '')])),
      logs,
      counts: { rows: counts.rows, quota: counts.quota, maxId: counts.maxId },
      lastCharges,
    }
  })
}

async function boundsOf(source: Source, table: string): Promise<LogBounds> {
  const q = source.quote
  const [bounds] = await source.query(
    `SELECT COUNT(*) AS n, MIN(${q('id')}) AS low, MAX(${q('id')}) AS high, ${sumSqlOf(source, 'quota')} AS total FROM ${q(table)}`,
  )
  const rows = Number(bounds?.n ?? 0)
  if (rows === 0) return NO_LOGS
  return { rows, quota: Number(bounds?.total ?? 0), minId: Number(bounds?.low), maxId: Number(bounds?.high) }
}

/** Returns the id of the first log row since `since` (Unix seconds), or undefined if there is none. */
export async function firstLogSince(source: Source, since: number): Promise<number | undefined> {
  const q = source.quote
  const [first] = await source.query(
    `SELECT MIN(${q('id')}) AS low FROM ${q('logs')} WHERE ${q('created_at')} >= ${Math.trunc(since)}`,
  )
  return first?.low === null || first?.low === undefined ? undefined : Number(first.low)
}
