import type { Actor } from '../core/actor.ts'

/** Result of a channel test. */
export interface ChannelTestResult {
  success: boolean
  /** Reason of the failure; empty on success. */
  message: string
  /** Seconds. */
  time: number
  model: string
}

/** An upstream without a stored channel. */
export interface UpstreamAddress {
  type: number
  /** Empty: the default address of the type. */
  base_url: string
  key: string
}

/** A built-in model name and its owner. */
export interface ListedModel {
  id: string
  owner: string
}

/** Checks of a channel at its upstream, and the built-in model names. */
export interface ChannelChecks {
  /**
   * Sends one small request. A failing upstream is a result, not an error. Throws CHANNEL_NOT_FOUND, CHANNEL_TEST_UNSUPPORTED,
   * CHANNEL_KEY_UNKNOWN.
   */
  test(
    actor: Actor,
    id: number,
    options?: { model?: string | undefined; key?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<ChannelTestResult>
  /**
   * Fetches and stores the account's balance, in the provider's currency. Throws CHANNEL_NOT_FOUND, BALANCE_UNSUPPORTED,
   * UPSTREAM_*.
   */
  updateBalance(actor: Actor, id: number, options?: { signal?: AbortSignal | undefined }): Promise<number>
  /** Returns the models that the upstream lists. Throws CHANNEL_NOT_FOUND, MODEL_LIST_UNSUPPORTED, UPSTREAM_*. */
  fetchModels(actor: Actor, id: number): Promise<string[]>
  /**
   * Like `fetchModels`, without a stored channel. Throws CHANNEL_TYPE_*, CHANNEL_BASE_URL_MISSING, MODEL_LIST_UNSUPPORTED, FIELD_*,
   * UPSTREAM_*.
   */
  fetchModelsFrom(actor: Actor, upstream: UpstreamAddress): Promise<string[]>
  /** Built-in model names by type number. */
  presets(): Promise<Readonly<Record<string, string[]>>>
  /** All built-in names; a name of several types is repeated. */
  builtInModels(): Promise<readonly ListedModel[]>
}
