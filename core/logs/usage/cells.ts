import { objectIn } from '../../channels/settings/other-info.ts'
import { recordOf } from '../../records.ts'
import type { Rows } from '../../tables/rows.ts'
import { LOG_TYPE } from '../log.ts'
import { addMs, decode, encode, type Histogram, mergeInto } from './histogram.ts'

/** The groupings of relay counts. `all` counts all relays together. */
export const CELL_KINDS = ['all', 'model', 'user', 'token', 'channel', 'group', 'error'] as const
export type CellKind = (typeof CELL_KINDS)[number]

/** Sums over relays. */
export interface Sums {
  /** Number of charges. In cells of kind `error`, number of failures. */
  count: number
  /** Number of charges with a complete reply. */
  ok: number
  /** Number of failures. Client disconnects are not counted. In cells of kind `channel`, number of failed attempts. */
  failed: number
  quota: number
  /** Prompt and completion tokens. */
  tokens: number
}

/** The sums of one hour for one name, such as a model. */
export interface UsageCell extends Sums {
  kind: CellKind
  /** Start of the hour in Unix seconds. */
  created_at: number
  /** Name of a model or group, error code, or id of a user, token or channel. Empty for `all` and for all others. */
  name: string
  latency: Histogram
  first_token: Histogram
}

/** The columns of log rows that are needed to count them. */
export const COUNTED_COLUMNS = [
  ...['id', 'type', 'created_at', 'user_id', 'token_id', 'channel_id', 'group', 'model_name', 'quota'],
  ...['prompt_tokens', 'completion_tokens', 'use_time', 'request_id', 'other'],
] as const

export type CountedRow = Pick<Rows['logs'], (typeof COUNTED_COLUMNS)[number]>

/** Kinds whose cells have histograms of durations. */
const TIMED: ReadonlySet<CellKind> = new Set<CellKind>(['all', 'model', 'channel'])
const CLIENT_GONE_STATUS = 499
const NAME_MAX = 255

export const HOUR_S = 3600
export const hourOf = (seconds: number): number => seconds - (seconds % HOUR_S)

/** Cells by kind, hour and name. */
export class Cells {
  readonly byKey = new Map<string, UsageCell>()
  /** The cells of rows by their hour and names. Rows with the same names need one lookup instead of six. */
  private readonly byNames = new Map<string, readonly UsageCell[]>()

  at(kind: CellKind, created_at: number, name: string): UsageCell {
    const key = `${kind}\0${created_at}\0${name}`
    let cell = this.byKey.get(key)
    if (!cell) {
      cell = emptyCell(kind, created_at, name)
      this.byKey.set(key, cell)
    }
    return cell
  }

  add(other: UsageCell): void {
    addCell(this.at(other.kind, other.created_at, other.name), other)
  }

  /** Counts a log row of a charge or of a failed relay. */
  count(row: CountedRow): void {
    if (row.type === LOG_TYPE.error) this.countFailure(row)
    // Channel tests and imported rows are not counted. They have no request id.
    else if (row.type === LOG_TYPE.consumption && row.request_id) this.countCharge(row)
  }

  private countCharge(row: CountedRow): void {
    const { frt, use_time_ms, incomplete } = objectIn(row.other)
    const isComplete = incomplete !== true
    const ms = typeof use_time_ms === 'number' ? use_time_ms : Number(row.use_time) * 1000
    for (const cell of this.cellsOf(row, row.channel_id)) {
      cell.count += 1
      cell.ok += isComplete ? 1 : 0
      cell.quota += Number(row.quota)
      cell.tokens += Number(row.prompt_tokens) + Number(row.completion_tokens)
      if (!isComplete || !TIMED.has(cell.kind)) continue
      addMs(cell.latency, ms)
      if (typeof frt === 'number' && frt > 0) addMs(cell.first_token, frt)
    }
  }

  private countFailure(row: CountedRow): void {
    const { status, code, suppressed, admin_info } = objectIn(row.other)
    const failures = typeof suppressed === 'number' && suppressed > 0 ? suppressed : 1
    const name = typeof code === 'string' && code !== '' ? code : `HTTP ${status ?? '?'}`
    this.at('error', hourOf(row.created_at), name.slice(0, NAME_MAX)).count += failures
    if (status === CLIENT_GONE_STATUS) return
    for (const cell of this.cellsOf(row, 0)) cell.failed += failures
    // Count a failure for each attempted channel. Failed attempts of a relay that finally succeeded are not counted.
    for (const [channel, attempts] of failedAttemptsIn(admin_info))
      this.at('channel', hourOf(row.created_at), String(channel)).failed += attempts
  }

  private cellsOf(row: CountedRow, channelId: number): readonly UsageCell[] {
    const hour = hourOf(row.created_at)
    const names = `${hour} ${row.user_id} ${row.token_id} ${channelId} ${row.group}\0${row.model_name}`
    const known = this.byNames.get(names)
    if (known) return known
    const cells = [this.at('all', hour, ''), this.at('user', hour, String(row.user_id))]
    if (row.model_name !== '') cells.push(this.at('model', hour, row.model_name.slice(0, NAME_MAX)))
    if (row.token_id > 0) cells.push(this.at('token', hour, String(row.token_id)))
    if (channelId > 0) cells.push(this.at('channel', hour, String(channelId)))
    if (row.group !== '') cells.push(this.at('group', hour, row.group))
    this.byNames.set(names, cells)
    return cells
  }
}

/** Returns the number of failed attempts by channel. A row that counts several failures has only these numbers. */
function failedAttemptsIn(adminInfo: unknown): (readonly [channel: number, attempts: number])[] {
  const { tries, suppressed_attempts } = recordOf(adminInfo)
  const single = Array.isArray(tries) ? tries.map((attempt) => [Number(recordOf(attempt).channel), 1] as const) : []
  const counted = Object.entries(recordOf(suppressed_attempts)).map(
    ([id, count]) => [Number(id), Number(count)] as const,
  )
  return [...single, ...counted].filter(([channel, attempts]) => channel > 0 && attempts > 0)
}

export function emptyCell(kind: CellKind, created_at: number, name: string): UsageCell {
  return { kind, created_at, name, ...noSums(), latency: new Map(), first_token: new Map() }
}

export const noSums = (): Sums => ({ count: 0, ok: 0, failed: 0, quota: 0, tokens: 0 })

export function addSums(sums: Sums, other: Sums): void {
  sums.count += other.count
  sums.ok += other.ok
  sums.failed += other.failed
  sums.quota += other.quota
  sums.tokens += other.tokens
}

export function addCell(cell: UsageCell, other: UsageCell): void {
  addSums(cell, other)
  mergeInto(cell.latency, other.latency)
  mergeInto(cell.first_token, other.first_token)
}

/** A row of `usage_hours`, with encoded histograms. PostgreSQL may return its numbers as strings. */
export type UsageRow = Rows['usage_hours']

export function toCell(row: UsageRow): UsageCell {
  return {
    kind: row.kind,
    created_at: Number(row.created_at),
    name: row.name,
    ...toSums(row),
    latency: decode(row.latency),
    first_token: decode(row.first_token),
  }
}

export function toSums({ count, ok, failed, quota, tokens }: Record<keyof Sums, number | string>): Sums {
  return { count: Number(count), ok: Number(ok), failed: Number(failed), quota: Number(quota), tokens: Number(tokens) }
}

export function toUsageRow({ latency, first_token, ...cell }: UsageCell): UsageRow {
  return { ...cell, latency: encode(latency), first_token: encode(first_token) }
}

export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
