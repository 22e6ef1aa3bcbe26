import type { Actor } from '../core/actor.ts'

/** Result of a channel test. */
export interface ChannelTestResult {
  success: boolean
  /** Reason of the failure; empty on success. */
  message: string
  /** Duration of the test in seconds. */
  time: number
  model: string
}

/** An upstream to query, for which no channel is stored. */
interface UpstreamAddress {
  type: number
  /** Empty for the default address of the type. */
  base_url: string
  key: string
}

/** A built-in model name and its owner. */
export interface ListedModel {
  id: string
  owner: string
}

/**
 * Queries the upstreams of channels, and lists the built-in model names. Each method that queries the upstream of a
 * stored channel also throws CHANNEL_MISCONFIGURED.
 */
export interface ChannelChecks {
  /**
   * Sends one small request through the channel. If the upstream fails, the result has `success: false`. `model`
   * replaces the channel's test model; `key` is the digest of the key to test. Throws CHANNEL_NOT_FOUND,
   * CHANNEL_TEST_UNSUPPORTED, CHANNEL_KEY_UNKNOWN, and the provider's errors. `signal` ends the test: the local
   * implementation then throws STOPPING; the remote implementation throws the error of the aborted call.
   */
  test(
    actor: Actor,
    id: number,
    options?: { model?: string | undefined; key?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<ChannelTestResult>
  /**
   * Queries and stores the balance of the channel's account at the vendor, and returns it in the vendor's currency.
   * Throws CHANNEL_NOT_FOUND, BALANCE_UNSUPPORTED, UPSTREAM_*. `signal` aborts the call. The local implementation then
   * throws UPSTREAM_UNREACHABLE; the remote implementation throws the error of the aborted call.
   */
  updateBalance(actor: Actor, id: number, options?: { signal?: AbortSignal | undefined }): Promise<number>
  /**
   * Returns the models that the channel's upstream lists. Throws CHANNEL_NOT_FOUND, CHANNEL_TYPE_UNSERVED,
   * MODEL_LIST_UNSUPPORTED, UPSTREAM_*.
   */
  fetchModels(actor: Actor, id: number): Promise<string[]>
  /**
   * Queries an upstream that is not a stored channel, and returns the models that it lists. Throws CHANNEL_TYPE_*,
   * CHANNEL_BASE_URL_MISSING, MODEL_LIST_UNSUPPORTED, FIELD_*, UPSTREAM_*.
   */
  fetchModelsFrom(actor: Actor, upstream: UpstreamAddress): Promise<string[]>
  /** Returns the built-in model names of each channel type. The keys are the types' numbers. */
  presets(): Promise<Readonly<Record<string, string[]>>>
  /** Returns all built-in model names with their owners. A name of several channel types occurs several times. */
  builtInModels(): Promise<readonly ListedModel[]>
}
