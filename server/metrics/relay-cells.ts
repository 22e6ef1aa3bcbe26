import { counter, histogram, type MetricFamily, MetricHistogram, OTHER, type Sample } from './family.ts'

/** Maximum number of model and channel pairs with separate counts. */
const PAIRS_MAX = 2000
/** Bucket bounds in seconds. Long replies and reasoning models take minutes. */
const DURATION_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
const FIRST_TOKEN_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60]

/** Counts of one model on one channel. */
class RelayCell {
  completed = 0
  failed = 0
  charges = 0
  promptTokens = 0
  completionTokens = 0
  quota = 0
  readonly duration = new MetricHistogram(DURATION_BOUNDS)
  readonly firstToken = new MetricHistogram(FIRST_TOKEN_BOUNDS)

  constructor(readonly labels: Record<string, string>) {}
}

/** Counts of all relays of this process, by model and channel. */
export class RelayCells {
  private readonly models = new Map<string, Map<number, RelayCell>>()
  private readonly overflow = new RelayCell({ model: OTHER, channel: OTHER })
  private readonly cells: RelayCell[] = []

  /** Returns the counts of a model on a channel. `channelId` is 0 for relays without an attempt. */
  cellOf(model: string, channelId: number): RelayCell {
    return this.models.get(model)?.get(channelId) ?? this.create(model, channelId)
  }

  private create(model: string, channelId: number): RelayCell {
    if (this.cells.length >= PAIRS_MAX) return this.overflow
    const cell = new RelayCell({ model, channel: String(channelId) })
    this.cells.push(cell)
    const channels = this.models.get(model)
    if (channels) channels.set(channelId, cell)
    else this.models.set(model, new Map([[channelId, cell]]))
    return cell
  }

  families(): MetricFamily[] {
    const { cells, overflow } = this
    const all = overflow.completed + overflow.failed + overflow.charges > 0 ? [...cells, overflow] : cells
    const of = (value: (cell: RelayCell) => number, labels: Record<string, string> = {}): Sample[] =>
      all
        .map((cell) => ({ value: value(cell), labels: { ...cell.labels, ...labels } }))
        .filter(({ value }) => value > 0)
    return [
      counter('tollgate_requests_total', 'Ended relays, by model, channel and outcome', [
        ...of(({ completed }) => completed, { outcome: 'completed' }),
        ...of(({ failed }) => failed, { outcome: 'failed' }),
      ]),
      histogram(
        'tollgate_request_duration_seconds',
        'Time from the request to the end of its reply, of completed relays',
        all.flatMap(({ duration, labels }) => duration.samples('tollgate_request_duration_seconds', labels)),
      ),
      histogram(
        'tollgate_first_token_seconds',
        'Time from the request to the first part of a streamed reply',
        all.flatMap(({ firstToken, labels }) => firstToken.samples('tollgate_first_token_seconds', labels)),
      ),
      counter(
        'tollgate_charges_total',
        'Charges committed by this gateway',
        of(({ charges }) => charges),
      ),
      counter('tollgate_tokens_total', 'Prompt and completion tokens of committed charges', [
        ...of(({ promptTokens }) => promptTokens, { kind: 'prompt' }),
        ...of(({ completionTokens }) => completionTokens, { kind: 'completion' }),
      ]),
      counter(
        'tollgate_charged_quota_total',
        'Quota of committed charges',
        of(({ quota }) => quota),
      ),
    ]
  }
}
