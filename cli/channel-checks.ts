import type { Actor } from '../core/actor.ts'

/** How the test of a channel went. */
export interface ChannelTestResult {
  success: boolean
  /** Why it failed; empty when it did not. */
  message: string
  /** Seconds. */
  time: number
  model: string
}

/** What a gateway finds out about a channel by asking its upstream. */
export interface ChannelChecks {
  /** Sends one small request. A failing upstream is a result. Throws CHANNEL_NOT_FOUND, CHANNEL_TEST_UNSUPPORTED, CHANNEL_KEY_UNKNOWN. */
  test(
    actor: Actor,
    id: number,
    options?: { model?: string | undefined; key?: string | undefined },
  ): Promise<ChannelTestResult>
}
