import type { Logger } from 'pino'

/** No question is begun when a round has lasted so long: what is left is asked first in the next one. */
const ROUND_MS = 10_000
/** Who has not asked for so long has not listened. */
const AWAY_MS = 300_000
/** An account that is silent is left alone for so long; doubled each time, up to the most. */
const BACK_OFF_MS = 15_000
const BACK_OFF_MAX_MS = 300_000
/** So many accounts are asked at once. */
const ACCOUNTS_AT_ONCE = 16

/** What one key of a channel has submitted: who is silent about it need not be silent about that of another key. */
export interface TaskAccount {
  channelId: number
  /** '' where the channel has one key. */
  keyDigest: string
}

interface Known {
  /** When it may be asked again; who has waited longest comes first. */
  due: number
  silences: number
}

/**
 * Whom a process asks for tasks, and since when it listens. Accounts are asked independently of each other: one that is slow or
 * silent takes its own time and nobody's else, and one that stays silent is asked more and more rarely. Times are unix
 * milliseconds.
 */
export class Listening {
  /** Since when this process listens: what was said before, nobody heard. */
  since = 0
  private lastRound = 0
  private roundEnds = 0
  private known = new Map<string, Known>()

  constructor(
    private readonly now: () => number,
    private readonly logger: Logger,
  ) {}

  /** Whether nothing more is to be asked in this round. */
  get isOver(): boolean {
    return this.now() >= this.roundEnds
  }

  /** Does `work` for each account whose turn it is; what is not begun in time waits for the next round. */
  async round(accounts: readonly TaskAccount[], work: (account: TaskAccount) => Promise<void>): Promise<void> {
    const begun = this.now()
    // Another process may have led meanwhile, or nobody.
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
      // Not when it began: a round that lasts long is no absence.
      this.lastRound = this.now()
    }
  }

  /** The account has told of its tasks. */
  heard(account: TaskAccount): void {
    if (this.known.get(keyOf(account))?.silences)
      this.logger.info(named(account), 'an upstream tells of its tasks again')
    this.known.set(keyOf(account), { due: this.now(), silences: 0 })
  }

  /** It has not, for this reason. */
  silent(account: TaskAccount, reason: string): void {
    const silences = (this.known.get(keyOf(account))?.silences ?? 0) + 1
    const due = this.now() + Math.min(BACK_OFF_MS * 2 ** (silences - 1), BACK_OFF_MAX_MS)
    // Once, and not each time: it may be away for days.
    if (silences === 1) this.logger.warn({ ...named(account), reason }, 'an upstream tells nothing of its tasks')
    this.known.set(keyOf(account), { due, silences })
  }
}

const named = ({ channelId, keyDigest }: TaskAccount) => ({ channel: channelId, ...(keyDigest && { key: keyDigest }) })
const keyOf = ({ channelId, keyDigest }: TaskAccount) => `${channelId} ${keyDigest}`
