import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { applyFilter } from '../filter.ts'
import { LOG_TYPE } from '../log.ts'
import { NEWEST_BY_TIME } from '../rows.ts'
import {
  addSums,
  type CellKind,
  Cells,
  COUNTED_COLUMNS,
  type CountedRow,
  grouped,
  noSums,
  type Sums,
  toCell,
  toSums,
  type UsageCell,
  type UsageRow,
} from './cells.ts'
import type { Metric } from './groupings.ts'
import { decode, type Histogram, mergeInto } from './histogram.ts'
import { readCountedState } from './roll-up.ts'
import { addHour, byName, type ExactSums, type NamedUsage } from './totals.ts'

/** A period and the start of the previous period. All times are in Unix seconds. */
export interface Period {
  /** Start of the period, which is the start of an hour. */
  start: number
  /** End of the period, inclusive. */
  end: number
  /** End of the last whole hour of the period. */
  lastWhole: number
  /** Start of the previous period. */
  previous: number
}

/** The relays of a period and of the previous period. */
export interface PeriodUsage {
  /** Sums of the period (`current`), of its whole hours (`compared`) and of the previous period (`previous`). */
  sums: { current: ExactSums; compared: ExactSums; previous: ExactSums }
  /** Sums by model in the period, from the counts that are written with each charge. */
  models: Map<string, NamedUsage>
  /** Returns the cells of kind `all` between two times (inclusive). The times may be in the previous period. */
  all(from: number, to: number): UsageCell[]
  /** Returns the usage of all names in the period, by hour. */
  named(kind: CellKind): Promise<Map<string, NamedUsage>>
  /** Returns the usage of the largest names in the period, and possibly of others. The hours are not exact. */
  top(kind: CellKind, metric: Metric): Promise<Map<string, NamedUsage>>
  /** Returns the latencies of these models or channels in the period. */
  latencies(kind: 'model' | 'channel', names: readonly string[]): Promise<Map<string, Histogram>>
  /** Unix seconds up to which relays are counted. `sums` and `models` also include later relays. */
  countedUntil: number
  /** Whether only the newest OWN_ROWS_MAX relays are counted. `sums` and `models` include all relays. */
  isSampled: boolean
}

/**
 * Maximum number of rows that a call counts because the usage job (roll-up.ts) has not counted them yet. If there are
 * more, the call counts none of them.
 */
const TAIL_MAX = 5_000
/** Maximum number of rows of one user that one call counts. */
const OWN_ROWS_MAX = 10_000
const ROWS_PER_TURN = 1_000

/**
 * Returns the usage of all users: exact sums by model, and the counts of the usage job. Adds the rows that the job has
 * not counted yet, if there are at most TAIL_MAX.
 */
export async function allUsage(db: Database, period: Period, now: number): Promise<PeriodUsage> {
  const { reader } = db
  const state = await readCountedState(reader)
  const [models, previous, tail] = await Promise.all([
    hoursOf(db, 'model_hours', { from: period.start, to: period.end }),
    sumOf(db, 'model_hours', { from: period.previous, to: period.start - 1 }),
    tailOf(db, state?.done ?? 0),
  ])
  const countedRows = (kind: CellKind, from: number) =>
    reader('usage_hours').where({ kind }).where('created_at', '>=', from).where('created_at', '<=', period.end)
  const totalRows: UsageRow[] = await countedRows('all', period.previous).select('*')
  const cells = new Cells()
  for (const row of totalRows) cells.add(toCell(row))
  if (tail) await countAll(cells, tail)
  const usage = usageOf(cells, period, { models, previous })
  return {
    ...usage,
    async named(kind) {
      const names = await usage.named(kind)
      const rows: NamedSums[] = await countedRows(kind, period.start).select('name', 'created_at', ...SUM_NAMES)
      for (const [at, row] of rows.entries()) {
        if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await setImmediate()
        addHour(names, row.name, Number(row.created_at), toSums(row))
      }
      return names
    },
    async top(kind, metric) {
      const names = await usage.top(kind, metric)
      const rows: NamedSums[] = await countedRows(kind, period.start)
        .groupBy('name')
        .orderBy(metric, 'desc')
        .limit(TOP_ROWS)
        .select('name', ...SUM_NAMES.map((name) => reader.raw('SUM(??) AS ??', [name, name])))
      for (const row of rows) addHour(names, row.name, period.start, toSums(row))
      return names
    },
    async latencies(kind, names) {
      const histograms = await usage.latencies(kind, names)
      const rows: Pick<UsageRow, 'name' | 'latency'>[] = await countedRows(kind, period.start)
        .whereIn('name', names)
        .select('name', 'latency')
      for (const { name, latency } of rows) mergeAt(histograms, name, decode(latency))
      return histograms
    },
    countedUntil: tail ? Math.min(now, period.end) : await timeOf(db, state?.done ?? 0),
    isSampled: false,
  }
}

type NamedSums = Record<keyof Sums, number | string> & { name: string; created_at: number | string }
const SUM_NAMES = ['count', 'ok', 'failed', 'quota', 'tokens'] as const satisfies readonly (keyof Sums)[]
/** Number of names to read. It is so large that no top name is missing after the uncounted rows are added. */
const TOP_ROWS = 200

function mergeAt(histograms: Map<string, Histogram>, name: string, other: Histogram): void {
  const histogram = histograms.get(name)
  if (histogram) mergeInto(histogram, other)
  else histograms.set(name, new Map(other))
}

/** Returns the rows that the usage job has not counted yet, or undefined if there are more than TAIL_MAX. */
async function tailOf({ reader }: Database, after: number): Promise<CountedRow[] | undefined> {
  const rows: CountedRow[] = await reader('logs')
    .where('id', '>', after)
    .whereIn('type', [LOG_TYPE.consumption, LOG_TYPE.error])
    .orderBy('id')
    .limit(TAIL_MAX + 1)
    .select(COUNTED_COLUMNS)
  return rows.length > TAIL_MAX ? undefined : rows
}

async function timeOf({ reader }: Database, id: number): Promise<number> {
  const row = await reader('logs').where('id', '<=', id).orderBy('id', 'desc').first('created_at')
  return Number(row?.created_at ?? 0)
}

/**
 * Returns the usage of one user. Sums by model are exact. All other data are from the user's newest rows. For a team
 * member, all data are from the newest rows.
 */
export async function ownUsage(
  db: Database,
  { userId, memberId, period }: { userId: number; memberId?: number | undefined; period: Period },
): Promise<PeriodUsage> {
  const owner = { user_id: userId }
  const [models, previous] = await Promise.all([
    hoursOf(db, 'quota_data', { from: period.start, to: period.end, ...owner }),
    sumOf(db, 'quota_data', { from: period.previous, to: period.start - 1, ...owner }),
  ])
  const rows: CountedRow[] = await db
    .reader('logs')
    .modify(applyFilter, { userId, ...(memberId !== undefined && { memberId }) })
    .where('created_at', '>=', period.previous)
    .where('created_at', '<=', period.end)
    .whereIn('type', [LOG_TYPE.consumption, LOG_TYPE.error])
    .orderBy(NEWEST_BY_TIME)
    .limit(OWN_ROWS_MAX)
    .select(COUNTED_COLUMNS)
  const cells = new Cells()
  await countAll(cells, rows)
  const sums = memberId === undefined ? { models, previous } : countedSums(cells, period)
  const usage = usageOf(cells, period, sums)
  return { ...usage, countedUntil: period.end, isSampled: rows.length === OWN_ROWS_MAX }
}

/** Computes from cells the sums of a period by model, and the sums of the previous period. */
function countedSums(cells: Cells, { start, end, previous }: Period) {
  const all = [...cells.byKey.values()]
  const before = noSums()
  for (const cell of all) {
    if (cell.kind === 'all' && cell.created_at >= previous && cell.created_at < start) addSums(before, cell)
  }
  const models = byName(
    all.filter(({ kind, created_at }) => kind === 'model' && created_at >= start && created_at <= end),
  )
  return { models, previous: before }
}

async function countAll(cells: Cells, rows: readonly CountedRow[]): Promise<void> {
  for (const [at, row] of rows.entries()) {
    // Let relays run in between, because counting thousands of rows takes some milliseconds.
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await setImmediate()
    cells.count(row)
  }
}

function usageOf(
  cells: Cells,
  { start, end, lastWhole }: Period,
  { models, previous }: { models: Map<string, NamedUsage>; previous: ExactSums },
): Omit<PeriodUsage, 'countedUntil' | 'isSampled'> {
  const byKind = grouped(cells.byKey.values(), ({ kind }) => kind)
  const between = (kind: CellKind, from: number, to: number) =>
    (byKind.get(kind) ?? []).filter(({ created_at }) => created_at >= from && created_at <= to)
  return {
    sums: {
      current: sumHours(models, Number.POSITIVE_INFINITY),
      compared: sumHours(models, lastWhole),
      previous,
    },
    models,
    all: (from, to) => between('all', from, to),
    named: async (kind) => byName(between(kind, start, end)),
    top: async (kind) => byName(between(kind, start, end)),
    async latencies(kind, names) {
      const histograms = new Map<string, Histogram>()
      for (const { name, latency } of between(kind, start, end))
        if (names.includes(name)) mergeAt(histograms, name, latency)
      return histograms
    },
  }
}

/** Sums the hours that start before a time. */
function sumHours(models: ReadonlyMap<string, NamedUsage>, before: number): ExactSums {
  const sum = { count: 0, quota: 0, tokens: 0 }
  for (const { hours } of models.values()) {
    for (const [hour, { count, quota, tokens }] of hours) {
      if (hour >= before) continue
      sum.count += count
      sum.quota += quota
      sum.tokens += tokens
    }
  }
  return sum
}

type Counts = 'model_hours' | 'quota_data'
interface Range {
  from: number
  to: number
  user_id?: number
}

/** Reads the counts that are written with each charge, by model and hour. */
async function hoursOf({ reader }: Database, table: Counts, range: Range): Promise<Map<string, NamedUsage>> {
  const { from, to, ...owner } = range
  const rows: ({ model_name: string; created_at: number } & ExactSums)[] = await reader(table)
    .where(owner)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .groupBy('model_name', 'created_at')
    .select('model_name', 'created_at')
    .sum({ count: 'count', quota: 'quota', tokens: 'token_used' })
  const names = new Map<string, NamedUsage>()
  for (const row of rows) {
    const sums = { count: Number(row.count), quota: Number(row.quota), tokens: Number(row.tokens) }
    addHour(names, row.model_name, Number(row.created_at), { ...noSums(), ...sums })
  }
  return names
}

async function sumOf({ reader }: Database, table: Counts, { from, to, ...owner }: Range): Promise<ExactSums> {
  const row = await reader(table)
    .where(owner)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .sum({ count: 'count', quota: 'quota', tokens: 'token_used' })
    .first()
  return { count: Number(row?.count ?? 0), quota: Number(row?.quota ?? 0), tokens: Number(row?.tokens ?? 0) }
}
