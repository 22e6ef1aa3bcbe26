import type { DialectName, Operation } from '../routing/operations.ts'

/**
 * Differences of a vendor's OpenAI-compatible API from OpenAI's API. All of it is data: the relay implements each quirk without
 * vendor names. An absent quirk means: as OpenAI.
 */
export interface Quirks {
  /** Rules for the top-level fields of a request, by operation. */
  readonly fields?: Readonly<Partial<Record<Operation, FieldRules>>>
  /** The family of model names, which determines the fields that such models reject. */
  readonly models?: 'openai' | 'xai'
  readonly messages?: MessageRules
  readonly tools?: ToolRules
  readonly thinking?: ThinkingRules
  readonly reply?: ReplyRules
  /** The vendor supports `web_search_options` with every model. */
  readonly webSearch?: true
  /** Conversation paths by prefix of model names. */
  readonly modelPaths?: Readonly<Record<string, string>>
  /** Path for requests that begin the reply, which the model continues. */
  readonly prefixPath?: string
  /** Fill-in-the-middle completions: the path, prefixes of models that use it even without a suffix, and the accepted fields. */
  readonly fill?: { readonly path: string; readonly models: readonly string[]; readonly only: readonly string[] }
  /** Dialects in which the vendor expects the key in `x-api-key`. */
  readonly apiKeyIn?: readonly DialectName[]
}

/** In this order: rename, drop, clamp. */
export interface FieldRules {
  /** New name by old name; an existing field with the new name is kept. */
  readonly rename?: Readonly<Record<string, string>>
  /** Fields that the vendor rejects. */
  readonly drop?: readonly string[]
  /** The only fields that the vendor accepts. */
  readonly only?: readonly string[]
  /** Smallest and largest value by field. */
  readonly clamp?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Values that fields must have, if they are present. */
  readonly force?: Readonly<Record<string, unknown>>
}

export interface MessageRules {
  /** The vendor supports the role `developer`. Otherwise `system` replaces it. */
  readonly developer?: boolean
  /** Roles must alternate after the system messages, so adjacent messages with the same role are merged. */
  readonly alternate?: boolean
  /** The only fields of a message. */
  readonly only?: readonly string[]
  /** The vendor rejects message fields that OpenAI does not have. */
  readonly strict?: boolean
  /** Form in which the vendor accepts earlier reasoning of its model. */
  readonly reasoning?: 'content' | 'details'
  /** The vendor supports `cache_control`. */
  readonly cacheMarks?: boolean
  /** The vendor does not fetch image URLs, so the gateway sends the data. */
  readonly inlineMedia?: boolean
  /** The field that marks a reply to continue. */
  readonly prefix?: 'prefix' | 'partial'
}

export interface ToolRules {
  /** The vendor does not support tools, so calls and results become text. */
  readonly none?: boolean
  /** The exact number of letters and digits in a call id. */
  readonly idLength?: number
  /** The vendor's name for `tool_choice: "required"`. */
  readonly required?: string
  /** The vendor cannot force one tool. Such a choice becomes `required`. */
  readonly unnamed?: boolean
  /** Results contain the tool's name. */
  readonly namedResults?: boolean
}

export interface ThinkingRules {
  /**
   * The field that controls reasoning. `type`: `thinking: { type }`; `enable`: `enable_thinking`; `reasoning`: OpenRouter's
   * object.
   */
  readonly as: 'type' | 'enable' | 'reasoning'
  /** The vendor's effort names by ours, if the vendor also supports efforts. */
  readonly efforts?: Readonly<Record<string, string>>
  /** Pattern of the models that reason unless reasoning is disabled. */
  readonly thinksByDefault?: string
  /** Fields that the vendor rejects in requests with reasoning. */
  readonly drop?: readonly string[]
  /** In requests with reasoning, each turn with calls must include its reasoning, even if empty. */
  readonly needsReasoningBack?: boolean
}

export interface ReplyRules {
  /** Meaning of finish reasons that OpenAI does not have. `error` means that the reply has failed. */
  readonly stops?: Readonly<Record<string, 'stop' | 'length' | 'tools' | 'filter' | 'error'>>
  /** Reasoning may come as `<think>…</think>` at the beginning of the text. */
  readonly thinkTags?: boolean
  /** `completion_tokens` exclude the reasoning, so total minus prompt tokens are used. */
  readonly completionFromTotal?: boolean
  /** HTTP statuses by error code, for errors that are sent with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /**
   * The vendor's replies have fields unknown to OpenAI clients, so each reply is rebuilt, even for clients of the same dialect.
   */
  readonly isRebuilt?: boolean
  /** Names of the SSE events that belong to the reply. Other events are ignored. */
  readonly events?: readonly string[]
}
