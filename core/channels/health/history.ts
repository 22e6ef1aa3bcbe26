import type { Evidence } from './evidence.ts'

const BUCKETS = 6
const BUCKET_MS = 10_000
/** The share of a kind of failure is known from about so many attempts. */
const REMEMBERED_MAX = 128

/** For how much of itself a failure counts as one of another kind. */
const HINT = 0.2

/** What became of the attempts of one circuit: of the last minute by time, and of the last hundred by kind. */
export class History {
  private readonly samples = new Array<number>(BUCKETS).fill(0)
  private readonly failed = new Array<number>(BUCKETS).fill(0)
  private bucket = 0
  private remembered = 0
  private readonly kinds: Partial<Record<Evidence, number>> = {}
  private succeeded = 0

  /** One attempt of the last minute. */
  sample(failed: boolean, now: number): void {
    this.turn(now)
    const at = this.bucket % BUCKETS
    this.samples[at] = (this.samples[at] ?? 0) + 1
    if (failed) this.failed[at] = (this.failed[at] ?? 0) + 1
  }

  /** So many attempts with the same outcome: failures of a kind that matters here, successes, or neither. */
  remember(kind: Evidence | 'success' | 'other', count: number): void {
    this.remembered += count
    if (kind === 'success') this.succeeded += count
    else if (kind !== 'other') this.kinds[kind] = (this.kinds[kind] ?? 0) + count
    if (this.remembered <= REMEMBERED_MAX) return
    this.remembered /= 2
    this.succeeded /= 2
    for (const known of Object.keys(this.kinds) as Evidence[]) this.kinds[known] = (this.kinds[known] ?? 0) / 2
  }

  /** The share of a kind among the attempts outside of the present row. Failures of other kinds hint at some of this one. */
  share(kind: Evidence): number {
    return this.remembered === 0 ? 0 : this.seen(kind) / this.remembered
  }

  /** The same among itself and successes alone, for rows that nothing but a success ends. */
  shareBesideSuccesses(kind: Evidence): number {
    const seen = this.seen(kind)
    return this.succeeded === 0 ? 0 : seen / (seen + this.succeeded)
  }

  private seen(kind: Evidence): number {
    const all = sum(Object.values(this.kinds))
    const own = this.kinds[kind] ?? 0
    return own + (all - own) * HINT
  }

  minute(now: number): { samples: number; failed: number } {
    this.turn(now)
    return { samples: sum(this.samples), failed: sum(this.failed) }
  }

  private turn(now: number): void {
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
