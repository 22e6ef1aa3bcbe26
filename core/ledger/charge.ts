import type { Rostered } from '../roster.ts'

/** The quota of a user's balance and of a token's budget that one relay may spend. */
export interface Hold extends Rostered {
  /** Later holds have greater numbers. */
  readonly number: number
  readonly userId: number
  /** 0: the hold uses no token budget (an unlimited token, or the playground). */
  readonly budgetTokenId: number
  /** The held quota, the same for balance and budget. */
  quota: number
  /** False after `settle` or `release`: a second call does nothing. */
  open: boolean
  /** True if the process was declared dead and the balance could not cover this hold again: the relay must end now. */
  lost: boolean
  /** Called once when the hold becomes lost. */
  onLost?: () => void
  /** The relay's parts of limits, which end with the hold. */
  limits?: HeldLimits[] | undefined
}

/** One relay's part of limits. */
export interface HeldLimits {
  /** Adds quota to the relay's part. Resolves with `false` if the limit has less than `quota` left. */
  extend(quota: number): Promise<boolean>
  /** Reports the relay's usage. */
  used(usage: { tokens: number; quota: number }): void
  end(): void
}

/** The final price of one relay, with the contents of its log row. */
export interface Charge {
  /** A charge with the same request id is written once, even if it is settled twice. */
  requestId: string
  userId: number
  username: string
  /** 0: no token (the playground). */
  tokenId: number
  tokenName: string
  channelId: number
  modelName: string
  group: string
  promptTokens: number
  completionTokens: number
  quota: number
  useTimeSeconds: number
  isStream: boolean
  content: string
  /** JSON text of the log row's `other`, from which a receipt recomputes the price. */
  other: string
  /**
   * Whether the client already has a part of the reply. If the hold is lost, a delivered reply is charged up to the balance, and
   * an undelivered reply is not charged.
   */
  isDelivered?: boolean
  /** The task that this charge pays for: one transaction writes both, or neither. */
  task?: NewTask
}

/**
 * The outcome of a charge. `task-exists`: not charged, because another task has the same name. `lost`: the hold was released and
 * the balance could not cover the charge, so the reply must not be completed.
 */
export type SettleOutcome = 'settled' | 'task-exists' | 'lost'

/**
 * The row of a task that an upstream has accepted. Values are cut to fit their columns. For each channel and key, the ids of
 * unfinished music tasks are unique.
 */
export interface NewTask {
  table: 'midjourneys' | 'tasks' | 'batches'
  row: Readonly<Record<string, string | number>>
}
