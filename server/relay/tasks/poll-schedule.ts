import type { Logger } from 'pino'

/** No request starts after this duration of a round; the next round continues with the remaining accounts. */
const ROUND_MS = 10_000
/** After a longer pause between rounds, this process counts as not having polled. */
const AWAY_MS = 300_000
/** Pause after a failed poll of an account; doubles each time, up to the maximum. */
const BACK_OFF_MS = 15_000
const BACK_OFF_MAX_MS = 300_000
/** Number of accounts that are polled in parallel. */
const ACCOUNTS_AT_ONCE = 16

/** One key of a channel; keys are polled separately, because one can fail while another works. */
export interface TaskAccount {
  channelId: number
  /** '' if the channel has a single key. */
  keyDigest: string
}

interface Known {
  /** The earliest time of the next poll; accounts that waited longest come first. */
  due: number
  silences: number
}

/**
 * Schedules a process's polls of accounts. Accounts are independent: a slow or failing one delays no other, and a failing one
 * is polled less and less often. Times are unix milliseconds.
 */
export class PollSchedule {
  /** When this process started polling: earlier rounds may be missing. */
  since = 0
  private lastRound = 0
  private roundEnds = 0
  private known = new Map<string, Known>()

  constructor(
    private readonly now: () => number,
    private readonly logger: Logger,
  ) {}

  /** Whether this round may start no more requests. */
  get isOver(): boolean {
    return this.now() >= this.roundEnds
  }

  /** Runs `work` for each due account; the rest waits for the next round. */
  async round(accounts: readonly TaskAccount[], work: (account: TaskAccount) => Promise<void>): Promise<void> {
    const begun = this.now()
    // Meanwhile another process may have polled, or none.
    if (begun - this.lastRound > AWAY_MS) this.since = begun
    this.roundEnds = begun + ROUND_MS
    const there = accounts.map((account) => [keyOf(account), account] as const)
    this.known = new Map(there.map(([key]) => [key, this.known.get(key) ?? { due: 0, silences: 0 }]))
    const dueOf = (account: TaskAccount) => this.known.get(keyOf(account))?.due ?? 0
    const waiting = accounts.filter((account) => dueOf(account) <= begun).sort((a, b) => dueOf(a) - dueOf(b))
    const worker = async () => {
      for (let next = waiting.shift(); next && !this.isOver; next = waiting.shift()) await work(next)
    }
    try {
      await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, worker))
    } finally {
      // Use the end of the round, because a long round is not a pause.
      this.lastRound = this.now()
    }
  }

  /** Reports a successful poll. */
  recordSuccess(account: TaskAccount): void {
    if (this.known.get(keyOf(account))?.silences)
      this.logger.info(named(account), 'an upstream tells of its tasks again')
    this.known.set(keyOf(account), { due: this.now(), silences: 0 })
  }

  /** Reports a failed poll. */
  recordFailure(account: TaskAccount, reason: string): void {
    const silences = (this.known.get(keyOf(account))?.silences ?? 0) + 1
    const due = this.now() + Math.min(BACK_OFF_MS * 2 ** (silences - 1), BACK_OFF_MAX_MS)
    // Logged once, because the upstream may fail for days.
    if (silences === 1) this.logger.warn({ ...named(account), reason }, 'an upstream tells nothing of its tasks')
    this.known.set(keyOf(account), { due, silences })
  }
}

const named = ({ channelId, keyDigest }: TaskAccount) => ({ channel: channelId, ...(keyDigest && { key: keyDigest }) })
const keyOf = ({ channelId, keyDigest }: TaskAccount) => `${channelId} ${keyDigest}`
