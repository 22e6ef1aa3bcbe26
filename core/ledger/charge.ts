/** A part of a user's balance, and of a token's budget, set aside for one relay. */
export interface Hold {
  readonly userId: number
  /** 0: no token budget is concerned (an unlimited token, or the playground). */
  readonly budgetTokenId: number
  quota: number
  /** A hold ends once: a second settle or release does nothing. */
  open: boolean
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
  /** The task that this pays for: its row is written with the charge, or neither is. */
  task?: NewTask
}

/**
 * The row of a task that an upstream has accepted. Values are made to fit their columns. Among music that is not finished, a key of
 * a channel has each id once.
 */
export interface NewTask {
  table: 'midjourneys' | 'tasks'
  row: Readonly<Record<string, string | number>>
}
