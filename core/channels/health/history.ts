import { keysOf } from '../../records.ts'
import type { FailureSignal } from './classify-failure.ts'

const BUCKETS = 6
const BUCKET_MS = 10_000
/** Number of attempts after which all counts are halved, so that recent attempts count more than older ones. */
const REMEMBERED_MAX = 128

/** Weight of failures of the other kinds in the frequency of one kind. */
const OTHER_KIND_WEIGHT = 0.2

/** The outcomes of a circuit's attempts: all of the last minute, and about the last hundred by kind. */
export class History {
  private readonly samples = new Array<number>(BUCKETS).fill(0)
  private readonly failed = new Array<number>(BUCKETS).fill(0)
  private bucket = 0
  private remembered = 0
  private readonly kinds: Partial<Record<FailureSignal, number>> = {}
  private succeeded = 0

  /** Records one attempt of the last minute. */
  sample(failed: boolean, now: number): void {
    this.advance(now)
    const at = this.bucket % BUCKETS
    this.samples[at] = (this.samples[at] ?? 0) + 1
    if (failed) this.failed[at] = (this.failed[at] ?? 0) + 1
  }

  /** Records attempts with the same outcome: a failure of this kind, a success, or an uncounted outcome (`other`). */
  remember(kind: FailureSignal | 'success' | 'other', count: number): void {
    this.remembered += count
    if (kind === 'success') this.succeeded += count
    else if (kind !== 'other') this.kinds[kind] = (this.kinds[kind] ?? 0) + count
    if (this.remembered <= REMEMBERED_MAX) return
    this.remembered /= 2
    this.succeeded /= 2
    for (const each of keysOf(this.kinds)) this.kinds[each] = (this.kinds[each] ?? 0) / 2
  }

  /** Returns the frequency (0 to 1) of a kind of failure. The circuit's current series of failures is not included. */
  frequency(kind: FailureSignal): number {
    return this.remembered === 0 ? 0 : this.weightedCount(kind) / this.remembered
  }

  /** Like `frequency`, without the outcomes `other`: only a success ends a series of account rejections. */
  frequencyWithoutOthers(kind: FailureSignal): number {
    const count = this.weightedCount(kind)
    return this.succeeded === 0 ? 0 : count / (count + this.succeeded)
  }

  private weightedCount(kind: FailureSignal): number {
    const total = sum(Object.values(this.kinds))
    const ofKind = this.kinds[kind] ?? 0
    return ofKind + (total - ofKind) * OTHER_KIND_WEIGHT
  }

  /** Returns the numbers of attempts and of failed attempts in the last minute. */
  lastMinute(now: number): { samples: number; failed: number } {
    this.advance(now)
    return { samples: sum(this.samples), failed: sum(this.failed) }
  }

  private advance(now: number): void {
    const bucket = Math.floor(now / BUCKET_MS)
    if (bucket === this.bucket) return
    for (let at = Math.max(this.bucket + 1, bucket - BUCKETS + 1); at <= bucket; at++) {
      this.samples[at % BUCKETS] = 0
      this.failed[at % BUCKETS] = 0
    }
    this.bucket = bucket
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
