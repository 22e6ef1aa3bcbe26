import type { Rostered } from '../roster.ts'

/** A part of a user's balance, and of a token's budget, reserved for one relay. */
export interface Hold extends Rostered {
  /** Later holds have greater numbers. */
  readonly number: number
  readonly userId: number
  /** 0: the hold uses no token budget (an unlimited token, or the playground). */
  readonly budgetTokenId: number
  quota: number
  /** A hold ends once: a second settle or release does nothing. */
  open: boolean
  /** The process was declared dead and the balance could not cover this hold again: the relay must end now. */
  lost: boolean
  /** Called once when the hold becomes lost. */
  onLost?: () => void
  /** The relay's parts of limits, which end with it. */
  limits?: HeldLimits[] | undefined
}

/** One relay's part of limits. */
export interface HeldLimits {
  /** Resolves with `false` if the limit has less than `quota` left. */
  extend(quota: number): Promise<boolean>
  used(usage: { tokens: number; quota: number }): void
  end(): void
}

/** The final price of one relay, with the contents of its log row. */
export interface Charge {
  /** Unique forever: the same id settles once, even if it is delivered twice. */
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
  /** JSON text of the row's `other`: a receipt recomputes the price from it. */
  other: string
  /**
   * Whether the client already has a part of the reply. If the hold is lost, such a charge applies up to the balance; an
   * undelivered reply is not charged.
   */
  isDelivered?: boolean
  /** The task that this charge pays for: one transaction writes both, or neither. */
  task?: NewTask
}

/**
 * The outcome of a charge. `task-exists`: no charge, since another task has the same name. `lost`: the hold was released and the
 * balance could not cover the charge: the reply must not be completed.
 */
export type SettleOutcome = 'settled' | 'task-exists' | 'lost'

/**
 * The row of a task that an upstream has accepted. Values are cut to fit their columns. Among unfinished music tasks, each id is
 * unique per channel and key.
 */
export interface NewTask {
  table: 'midjourneys' | 'tasks' | 'batches'
  row: Readonly<Record<string, string | number>>
}
