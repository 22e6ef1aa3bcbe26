import type { FailedRelay } from '../../../core/logs/failures.ts'
import type { Logs } from '../../../core/logs/logs.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

/** Rows per user and second; further failures are counted in one extra row. */
const ROWS_PER_SECOND = 5
/** Rows per write. Writes are at least `FLUSH_MS` apart, so a flood of failures is a small share of all writes. */
const ROWS_MAX = 200
const FLUSH_MS = 500
/** Rows that wait while the database is unavailable; further failures are counted. */
const WAITING_MAX = 2000

interface Slot {
  second: number
  written: number
  suppressed: number
  last: FailedRelay
}

/** The record of a failed relay; the log adds its time. */
export type Failed = Omit<FailedRelay, 'at'>

/**
 * Records failed relays. Rows are written in batches, after the reply, in bounded numbers. Omitted failures are counted
 * exactly: the `suppressed` of all rows plus the rows without it is the number of failures.
 */
export class FailureLog {
  private waiting: FailedRelay[] = []
  private readonly slots = new Map<number, Slot>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> | undefined
  private readonly logs: Pick<Logs, 'writeFailures'>
  private readonly options: Options
  private readonly onFailure: (error: unknown) => void
  private readonly onError: (error: Pick<Failed, 'status' | 'code'>) => void

  constructor(parts: {
    logs: Pick<Logs, 'writeFailures'>
    options: Options
    onFailure: (error: unknown) => void
    /** Called for every error that a client gets, whether it is recorded or not. */
    onError?: (error: Pick<Failed, 'status' | 'code'>) => void
  }) {
    this.logs = parts.logs
    this.options = parts.options
    this.onFailure = parts.onFailure
    this.onError = parts.onError ?? (() => {})
  }

  /** Counts an error of an unknown client, which gets no row because no user owns it. */
  count(error: Pick<Failed, 'status' | 'code'>): void {
    this.onError(error)
  }

  record(failed: Failed): void {
    this.onError(failed)
    if (!this.options.get(OPTIONS.ErrorLogEnabled)) return
    const at = Math.floor(Date.now() / 1000)
    const relay = { ...failed, at }
    let slot = this.slots.get(failed.userId)
    if (!slot || slot.second !== at) {
      if (slot) this.conclude(slot)
      slot = { second: at, written: 0, suppressed: 0, last: relay }
      this.slots.set(failed.userId, slot)
    }
    slot.last = relay
    if (slot.written < ROWS_PER_SECOND && this.waiting.length < WAITING_MAX) {
      slot.written++
      this.waiting.push(relay)
    } else slot.suppressed++
    this.schedule()
  }

  /** Writes all pending rows. */
  async close(): Promise<void> {
    clearTimeout(this.timer)
    for (const slot of this.slots.values()) this.conclude(slot)
    this.slots.clear()
    await this.writing
    while (this.waiting.length > 0) {
      const before = this.waiting.length
      await this.write()
      if (this.waiting.length === before) return
    }
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.writing = this.flush()
    }, FLUSH_MS).unref()
  }

  private async flush(): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    for (const [userId, slot] of this.slots) {
      if (slot.second >= now) continue
      this.conclude(slot)
      this.slots.delete(userId)
    }
    await this.write()
    if (this.waiting.length > 0 || this.slots.size > 0) this.schedule()
  }

  private async write(): Promise<void> {
    if (this.waiting.length === 0) return
    const rows = this.waiting.slice(0, ROWS_MAX)
    try {
      await this.logs.writeFailures(rows)
      this.waiting.splice(0, rows.length)
    } catch (error) {
      this.onFailure(error)
    }
  }

  /** Adds the row that counts a user's omitted failures in a second, even beyond the row limit: it is one per user. */
  private conclude({ suppressed, last }: Slot): void {
    if (suppressed === 0) return
    this.waiting.push({
      ...last,
      requestId: '',
      lastRequestId: last.requestId,
      content: '',
      tries: [],
      upstreamRequestId: undefined,
      suppressed,
    })
  }
}
