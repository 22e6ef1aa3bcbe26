import type { Rostered } from '../roster.ts'

/** The quota of a user's balance and of a token's budget that one relay may spend. */
export interface Hold extends Rostered {
  /** Later holds have greater numbers. */
  readonly number: number
  readonly userId: number
  /** Id of the token whose budget is held. 0 if no budget is used (an unlimited token, or the playground). */
  readonly budgetTokenId: number
  /** The held quota. Balance and budget hold the same amount. */
  quota: number
  /** False after `settle` or `release`. A second call then does nothing. */
  open: boolean
  /** Whether the process was declared dead and the balance could not cover this hold again. The relay must then end. */
  lost: boolean
  /** Called once when the hold becomes lost. */
  onLost?: () => void
  /** The amounts that the relay has taken from limits. When the hold ends, the unused amounts are returned. */
  limits?: HeldLimits[] | undefined
}

/** The amounts that one relay has taken from limits. */
export interface HeldLimits {
  /** Takes more quota for the relay. Resolves to false if the limits have less than `quota` left. */
  extend(quota: number): Promise<boolean>
  /** Reports the relay's usage. */
  reportUsage(usage: { tokens: number; quota: number }): void
  end(): void
}

/** The final price of one relay, with the contents of its log row. */
export interface Charge {
  /** Id of the relay. Charges with the same id are written once, even if they are settled twice. */
  requestId: string
  userId: number
  username: string
  /** 0 if there is no token (the playground). */
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
  /** JSON text of the column `other` of the log row. A receipt recomputes the price from this text. */
  other: string
  /** Whether the client has a part of the reply. With a lost hold, only this is charged, up to the balance. */
  isDelivered?: boolean
  /** The task that this charge pays for. One transaction writes the charge and the task. */
  task?: NewTask
}

/**
 * The outcome of a charge. `task-exists`: not charged, because the task's id is already used. `lost`: the hold was
 * released and the balance could not cover the charge, so the reply must not be completed.
 */
export type SettleOutcome = 'settled' | 'task-exists' | 'lost'

/**
 * The row of a task that an upstream has accepted. Values that are too long for their columns are cut. For each channel
 * and key, the ids of unfinished music tasks are unique.
 */
export interface NewTask {
  table: 'midjourneys' | 'tasks' | 'batches'
  row: Readonly<Record<string, string | number>>
}
