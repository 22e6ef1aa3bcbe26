import type { FailedRelay } from '../../../core/logs/failures.ts'
import type { Logs } from '../../../core/logs/logs.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

/** Maximum number of rows per user and second. An additional row counts the further failures. */
const ROWS_PER_SECOND = 5
/** Maximum number of rows per write. Writes are `FLUSH_MS` apart, so many failures cause only few writes. */
const ROWS_MAX = 200
const FLUSH_MS = 500
/**
 * Maximum number of rows that wait for a write, for example during an outage of the database. Further failures are only
 * counted.
 */
const PENDING_ROWS_MAX = 2000

/** The failures of one user in one second. */
interface UserSecond {
  /** Unix seconds. */
  second: number
  /** Number of failures with a row. */
  rows: number
  /** Number of failures without a row. */
  suppressed: number
  /** Failed attempts of the suppressed failures, by channel. */
  attempts: Map<number, number>
  last: FailedRelay
}

/** The record of a failed relay, without the time. `FailureLog` adds the time. */
export type FailedRelayRecord = Omit<FailedRelay, 'at'>

/**
 * Records failed relays after the reply. Writes a limited number of rows. The field `suppressed` of an additional row
 * counts the failures without a row. So the exact number of failures is the sum of `suppressed`, plus the number of
 * rows without this field.
 */
export class FailureLog {
  private pendingRows: FailedRelay[] = []
  private readonly slots = new Map<number, UserSecond>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> | undefined
  private readonly logs: Pick<Logs, 'writeFailures'>
  private readonly options: Options
  private readonly onFailure: (error: unknown) => void
  private readonly onError: (error: Pick<FailedRelayRecord, 'status' | 'code'>) => void

  constructor(parts: {
    logs: Pick<Logs, 'writeFailures'>
    options: Options
    onFailure: (error: unknown) => void
    /** Called for every error that a client gets, even if it is not recorded. */
    onError?: (error: Pick<FailedRelayRecord, 'status' | 'code'>) => void
  }) {
    this.logs = parts.logs
    this.options = parts.options
    this.onFailure = parts.onFailure
    this.onError = parts.onError ?? (() => {})
  }

  /** Counts an error of an unknown client, without writing a row. */
  count(error: Pick<FailedRelayRecord, 'status' | 'code'>): void {
    this.onError(error)
  }

  record(failed: FailedRelayRecord): void {
    this.onError(failed)
    if (!this.options.get(OPTIONS.ErrorLogEnabled)) return
    const at = Math.floor(Date.now() / 1000)
    const relay = { ...failed, at }
    let slot = this.slots.get(failed.userId)
    if (!slot || slot.second !== at) {
      if (slot) this.addSuppressedRow(slot)
      slot = { second: at, rows: 0, suppressed: 0, attempts: new Map(), last: relay }
      this.slots.set(failed.userId, slot)
    }
    slot.last = relay
    if (slot.rows < ROWS_PER_SECOND && this.pendingRows.length < PENDING_ROWS_MAX) {
      slot.rows++
      this.pendingRows.push(relay)
    } else {
      slot.suppressed++
      for (const { channel } of relay.tries) slot.attempts.set(channel, (slot.attempts.get(channel) ?? 0) + 1)
    }
    this.schedule()
  }

  /** Writes all pending rows. Gives up after a failed write. */
  async close(): Promise<void> {
    clearTimeout(this.timer)
    for (const slot of this.slots.values()) this.addSuppressedRow(slot)
    this.slots.clear()
    await this.writing
    while (this.pendingRows.length > 0) {
      const before = this.pendingRows.length
      await this.write()
      if (this.pendingRows.length === before) return
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
      this.addSuppressedRow(slot)
      this.slots.delete(userId)
    }
    await this.write()
    if (this.pendingRows.length > 0 || this.slots.size > 0) this.schedule()
  }

  private async write(): Promise<void> {
    if (this.pendingRows.length === 0) return
    const rows = this.pendingRows.slice(0, ROWS_MAX)
    try {
      await this.logs.writeFailures(rows)
      this.pendingRows.splice(0, rows.length)
    } catch (error) {
      this.onFailure(error)
    }
  }

  /** Adds the row that counts a user's omitted failures in a second. This single row is exempt from row limits. */
  private addSuppressedRow({ suppressed, attempts, last }: UserSecond): void {
    if (suppressed === 0) return
    this.pendingRows.push({
      ...last,
      requestId: '',
      lastRequestId: last.requestId,
      content: '',
      tries: [],
      upstreamRequestId: undefined,
      suppressed,
      suppressedAttempts: attempts,
    })
  }
}
