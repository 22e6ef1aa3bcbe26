import type { DialectName, Operation } from '../routing/operations.ts'

/**
 * How a vendor's OpenAI-compatible API differs from OpenAI's. All of it is data: the relay implements each quirk without vendor
 * names. Absent = as OpenAI.
 */
export interface Quirks {
  /** Top-level fields of a request, by operation. */
  readonly fields?: Readonly<Partial<Record<Operation, FieldRules>>>
  /** The family of model names, which determines the fields that such models reject. */
  readonly models?: 'openai' | 'xai'
  readonly messages?: MessageRules
  readonly tools?: ToolRules
  readonly thinking?: ThinkingRules
  readonly reply?: ReplyRules
  /** It supports `web_search_options` with every model. */
  readonly webSearch?: true
  /** Conversation paths by prefix of model names. */
  readonly modelPaths?: Readonly<Record<string, string>>
  /** Path for continuing a reply that the client has begun. */
  readonly prefixPath?: string
  /** Fill-in-the-middle completions: their path, prefixes of models that use it even without a suffix, and the accepted fields. */
  readonly fill?: { readonly path: string; readonly models: readonly string[]; readonly only: readonly string[] }
  /** Formats that send the key in `x-api-key`. */
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
  /** Smallest and largest value. */
  readonly clamp?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Values that fields must have, if they are present. */
  readonly force?: Readonly<Record<string, unknown>>
}

export interface MessageRules {
  /** It supports the role `developer`; otherwise `system` replaces it. */
  readonly developer?: boolean
  /** Roles must alternate after the system messages: adjacent ones are merged. */
  readonly alternate?: boolean
  /** The only fields of a message. */
  readonly only?: readonly string[]
  /** It rejects message fields beyond OpenAI's. */
  readonly strict?: boolean
  /** How it accepts its model's earlier reasoning. */
  readonly reasoning?: 'content' | 'details'
  /** It supports `cache_control`. */
  readonly cacheMarks?: boolean
  /** It does not fetch image URLs: the gateway sends the data. */
  readonly inlineMedia?: boolean
  /** The field that marks a reply to continue. */
  readonly prefix?: 'prefix' | 'partial'
}

export interface ToolRules {
  /** It does not support tools: calls and results become text. */
  readonly none?: boolean
  /** The exact number of letters and digits in a call id. */
  readonly idLength?: number
  /** Its name for `tool_choice: "required"`. */
  readonly required?: string
  /** It cannot force one tool: that becomes `required`. */
  readonly unnamed?: boolean
  /** Results contain the tool's name. */
  readonly namedResults?: boolean
}

export interface ThinkingRules {
  /** `type`: `thinking: { type }`; `enable`: `enable_thinking`; `reasoning`: OpenRouter's object. */
  readonly as: 'type' | 'enable' | 'reasoning'
  /** Its effort names by ours, if it supports efforts as well. */
  readonly efforts?: Readonly<Record<string, string>>
  /** A pattern of the models that reason unless disabled. */
  readonly thinksByDefault?: string
  /** Fields that it rejects while reasoning. */
  readonly drop?: readonly string[]
  /** While reasoning, each turn with calls must include its reasoning, even if empty. */
  readonly needsReasoningBack?: boolean
}

export interface ReplyRules {
  /** Finish reasons besides OpenAI's; `error`: the reply has failed. */
  readonly stops?: Readonly<Record<string, 'stop' | 'length' | 'tools' | 'filter' | 'error'>>
  /** Reasoning may come as `<think>…</think>` at the beginning of the text. */
  readonly thinkTags?: boolean
  /** `completion_tokens` exclude the reasoning: use total minus prompt. */
  readonly completionFromTotal?: boolean
  /** HTTP statuses by the codes of errors sent with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** Its replies have fields unknown to OpenAI clients, so each is rebuilt, even for clients of its own dialect. */
  readonly isRebuilt?: boolean
  /** Names of the SSE events that belong to the reply; others are ignored. */
  readonly events?: readonly string[]
}
