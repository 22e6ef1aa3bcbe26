import type { Logger } from 'pino'

/** Maximum time in which a round starts requests. A round is one run of the poll job. */
const ROUND_MS = 10_000
/** After a longer pause between rounds, `polledSince` is set to the start of the next round. */
const POLL_GAP_MAX_MS = 300_000
/** Pause after a failed poll of an account. The pause doubles with each failure, up to the maximum. */
const BACK_OFF_MS = 15_000
const BACK_OFF_MAX_MS = 300_000
/** Maximum number of accounts that are polled in parallel. */
const ACCOUNTS_AT_ONCE = 16

/** One key of a channel. Each is polled separately, because one key may fail while another works. */
export interface TaskAccount {
  channelId: number
  /** Digest of the key, or '' if the channel has a single key. */
  keyDigest: string
}

interface AccountState {
  /** Earliest time of the next poll. */
  due: number
  /** Number of consecutive failed polls. */
  failures: number
}

/**
 * Decides when a process polls which accounts. A failing account is polled less often, but is due again after at most 5
 * minutes. It delays other accounts by at most about one round. Times are unix milliseconds.
 */
export class PollSchedule {
  /** Time since which this process has polled without a long pause. */
  polledSince = 0
  private lastRoundEndedAt = 0
  private roundDeadline = 0
  private accountStates = new Map<string, AccountState>()

  constructor(
    private readonly now: () => number,
    private readonly logger: Logger,
  ) {}

  /** Whether the time of the round is over, so that no request may start. */
  get isRoundOver(): boolean {
    return this.now() >= this.roundDeadline
  }

  /**
   * Calls `work` for each due account, the most overdue first. Accounts that have not started after ROUND_MS wait for
   * the next round.
   */
  async runRound(accounts: readonly TaskAccount[], work: (account: TaskAccount) => Promise<void>): Promise<void> {
    const startedAt = this.now()
    // After a long pause, this process does not know whether another process polled meanwhile.
    if (startedAt - this.lastRoundEndedAt > POLL_GAP_MAX_MS) this.polledSince = startedAt
    this.roundDeadline = startedAt + ROUND_MS
    const ids = accounts.map(accountIdOf)
    this.accountStates = new Map(ids.map((id) => [id, this.accountStates.get(id) ?? { due: 0, failures: 0 }]))
    const dueOf = (account: TaskAccount) => this.accountStates.get(accountIdOf(account))?.due ?? 0
    const dueAccounts = accounts.filter((account) => dueOf(account) <= startedAt).sort((a, b) => dueOf(a) - dueOf(b))
    const worker = async () => {
      for (let next = dueAccounts.shift(); next && !this.isRoundOver; next = dueAccounts.shift()) await work(next)
    }
    try {
      await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, worker))
    } finally {
      // The pause begins at the end of the round, which may be long.
      this.lastRoundEndedAt = this.now()
    }
  }

  /** Records a successful poll, so that the account is due again. Logs a recovery. */
  recordSuccess(account: TaskAccount): void {
    if (this.accountStates.get(accountIdOf(account))?.failures)
      this.logger.info(logFieldsOf(account), 'task polling recovered')
    this.accountStates.set(accountIdOf(account), { due: this.now(), failures: 0 })
  }

  /** Records a failed poll, and delays the next poll. */
  recordFailure(account: TaskAccount, reason: string): void {
    const failures = (this.accountStates.get(accountIdOf(account))?.failures ?? 0) + 1
    const due = this.now() + Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MAX_MS)
    // Only the first failure is logged, because the upstream may fail for days.
    if (failures === 1) this.logger.warn({ ...logFieldsOf(account), reason }, 'task polling failed')
    this.accountStates.set(accountIdOf(account), { due, failures })
  }
}

const logFieldsOf = ({ channelId, keyDigest }: TaskAccount) => ({
  channel: channelId,
  ...(keyDigest && { key: keyDigest }),
})
const accountIdOf = ({ channelId, keyDigest }: TaskAccount) => `${channelId} ${keyDigest}`
