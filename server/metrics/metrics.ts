import type { Charge } from '../../core/ledger/charge.ts'
import { counter, histogram, LabelledCounts, type MetricFamily, MetricHistogram, OTHER } from './family.ts'
import { RelayCells } from './relay-cells.ts'

const KINDS_MAX = 500
/** Pattern of error codes that become labels. Any other code of an upstream becomes the label `other`. */
const NAME = /^[\w.:-]{1,64}$/
/** Bucket bounds in seconds for the time of one transaction of charges. */
const COMMIT_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

/** Data of an ended relay for the metrics. */
interface EndedRelay {
  readonly model: string
  /** Channel of the last attempt, or 0 if no attempt was made. */
  readonly channelId: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds since the epoch, or undefined if no token arrived. */
  readonly firstTokenAt: number | undefined
  readonly isFailed: boolean
  readonly isStream: boolean
  readonly failedTries: readonly { readonly channel: number; readonly status: number; readonly code: string | null }[]
}

/** Counts the work of this process. No method waits or throws. */
export class Metrics {
  private readonly cells = new RelayCells()
  private readonly errors = new LabelledCounts(['code', 'status'], KINDS_MAX)
  private readonly attemptFailures = new LabelledCounts(['channel', 'code'], KINDS_MAX)
  private readonly commits = new MetricHistogram(COMMIT_BOUNDS)

  /** Call once for each relay at its end. */
  relayEnded(relay: EndedRelay): void {
    const cell = this.cells.cellOf(relay.model, relay.channelId)
    if (relay.isFailed) cell.failed += 1
    else {
      cell.completed += 1
      cell.duration.observe((Date.now() - relay.startedAt) / 1000)
    }
    if (relay.isStream && relay.firstTokenAt !== undefined) {
      cell.firstToken.observe((relay.firstTokenAt - relay.startedAt) / 1000)
    }
    for (const { channel, status, code } of relay.failedTries)
      this.attemptFailures.add(String(channel), kindOf(code, status))
  }

  /** Call with each committed batch of charges. */
  committed(charges: readonly Charge[], seconds: number): void {
    this.commits.observe(seconds)
    for (const { modelName, channelId, promptTokens, completionTokens, quota } of charges) {
      const cell = this.cells.cellOf(modelName, channelId)
      cell.charges += 1
      cell.promptTokens += promptTokens
      cell.completionTokens += completionTokens
      cell.quota += quota
    }
  }

  /** Call with each error that a relay client gets. */
  failed({ code, status }: { code: string | null; status: number }): void {
    this.errors.add(kindOf(code, status), String(status))
  }

  families(): MetricFamily[] {
    return [
      ...this.cells.families(),
      counter('tollgate_errors_total', 'Errors returned to relay clients, by code and status', this.errors.samples()),
      counter(
        'tollgate_attempt_failures_total',
        'Failed attempts of ended relays, by channel and code',
        this.attemptFailures.samples(),
      ),
      histogram(
        'tollgate_settlement_seconds',
        'Time of the transactions that commit charges',
        this.commits.samples('tollgate_settlement_seconds', {}),
      ),
    ]
  }
}

function kindOf(code: string | null, status: number): string {
  if (code === null || code === '') return `status_${status}`
  return NAME.test(code) ? code : OTHER
}
