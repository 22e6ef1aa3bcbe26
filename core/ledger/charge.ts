import type { Rostered } from '../roster.ts'

/** A part of a user's balance, and of a token's budget, reserved for one relay. */
export interface Hold extends Rostered {
  /** Later holds have greater numbers. */
  readonly number: number
  readonly userId: number
  /** 0: no token budget is concerned (an unlimited token, or the playground). */
  readonly budgetTokenId: number
  quota: number
  /** A hold ends once: a second settle or release does nothing. */
  open: boolean
  /** The process was declared dead and the balance could not cover this hold again: the relay must end now. */
  lost: boolean
  /** Called once when the hold becomes lost. */
  onLost?: () => void
}

/** The final price of one relay, with all that its log row says. */
export interface Charge {
  /** Unique for ever: the same id settles once, whatever is delivered twice. */
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
  /** The JSON text of the row's `other`: what a receipt recomputes the price from. */
  other: string
  /**
   * Whether the client already has a part of what this pays for. If the hold is lost, a part is charged as far as the balance
   * covers it; a reply that the client does not get is not charged.
   */
  isDelivered?: boolean
  /** The task that this pays for: its row is written with the charge, or neither is. */
  task?: NewTask
}

/**
 * What became of a charge. `task-exists`: nothing was charged, since another task has its name. `lost`: the balance could not
 * cover the charge after its hold was released: the reply must not be completed.
 */
export type SettleOutcome = 'settled' | 'task-exists' | 'lost'

/**
 * The row of a task that an upstream has accepted. Values are made to fit their columns. Among music that is not finished, a key of
 * a channel has each id once.
 */
export interface NewTask {
  table: 'midjourneys' | 'tasks'
  row: Readonly<Record<string, string | number>>
}
