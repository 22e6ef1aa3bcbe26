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

/** An upstream that is not stored. */
export interface UpstreamAddress {
  type: number
  /** Empty: where the type is served. */
  base_url: string
  key: string
}

/** A built-in name of a model, and whose it is. */
export interface ListedModel {
  id: string
  owner: string
}

/** What a gateway finds out about a channel by asking its upstream, and what it knows of models without asking. */
export interface ChannelChecks {
  /** Sends one small request. A failing upstream is a result. Throws CHANNEL_NOT_FOUND, CHANNEL_TEST_UNSUPPORTED, CHANNEL_KEY_UNKNOWN. */
  test(
    actor: Actor,
    id: number,
    options?: { model?: string | undefined; key?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<ChannelTestResult>
  /** What is left in the account, in the provider's currency; it is kept. Throws CHANNEL_NOT_FOUND, BALANCE_UNSUPPORTED, UPSTREAM_*. */
  balance(actor: Actor, id: number, options?: { signal?: AbortSignal | undefined }): Promise<number>
  /** What the upstream says it has. Throws CHANNEL_NOT_FOUND, MODEL_LIST_UNSUPPORTED, UPSTREAM_*. */
  models(actor: Actor, id: number): Promise<string[]>
  /** The same of one that is not stored. Throws CHANNEL_TYPE_*, CHANNEL_BASE_URL_MISSING, MODEL_LIST_UNSUPPORTED, FIELD_*, UPSTREAM_*. */
  modelsAt(actor: Actor, upstream: UpstreamAddress): Promise<string[]>
  /** Built-in names by the number of a type. */
  presets(): Promise<Readonly<Record<string, string[]>>>
  /** All built-in names: one that several types have is there several times. */
  listedModels(): Promise<readonly ListedModel[]>
}
