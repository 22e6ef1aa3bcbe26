import type { DialectName, Operation } from '../routing/operations.ts'

/**
 * Differences of a vendor's OpenAI-compatible API from OpenAI's API. They are data, so that the relay needs no code for
 * single vendors. An absent quirk means that the vendor behaves like OpenAI.
 */
export interface Quirks {
  /** Rules for the top-level fields of a request, by operation. */
  readonly fields?: Readonly<Partial<Record<Operation, FieldRules>>>
  /** The developer of the served models, if its reasoning models reject some fields. */
  readonly models?: 'openai' | 'xai'
  readonly messages?: MessageRules
  readonly tools?: ToolRules
  readonly thinking?: ThinkingRules
  readonly reply?: ReplyRules
  /** The vendor supports `web_search_options` with every model. */
  readonly webSearch?: true
  /** Paths of conversations, by the prefix of the model name. */
  readonly modelPaths?: Readonly<Record<string, string>>
  /** Path for requests whose last message is the beginning of the reply, which the model continues. */
  readonly prefixPath?: string
  /** Fill-in-the-middle completions: path, prefixes of models that always use this path, and accepted fields. */
  readonly fill?: { readonly path: string; readonly models: readonly string[]; readonly only: readonly string[] }
  /** Dialects in which the vendor expects the key in `x-api-key`. */
  readonly apiKeyIn?: readonly DialectName[]
}

/** Rules for the fields of a request. They apply in this order: rename, drop, only, clamp, force. */
export interface FieldRules {
  /** New field names, by old name. If a request has both fields, the value of the new name is kept. */
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
  /** Roles must alternate after the system messages. Adjacent messages with the same role are merged. */
  readonly alternate?: boolean
  /** The only message fields that the vendor accepts. */
  readonly only?: readonly string[]
  /** The vendor rejects message fields that OpenAI does not have. */
  readonly strict?: boolean
  /** Form in which the vendor accepts the reasoning of earlier replies. */
  readonly reasoning?: 'content' | 'details'
  /** The vendor supports `cache_control`. */
  readonly cacheMarks?: boolean
  /** The vendor does not fetch image URLs, so the gateway sends the data. */
  readonly inlineMedia?: boolean
  /** The field that marks an assistant message as the beginning of the reply, which the model continues. */
  readonly prefix?: 'prefix' | 'partial'
}

export interface ToolRules {
  /** The vendor does not support tools. Calls and results are sent as text. */
  readonly none?: boolean
  /** The exact number of letters and digits in a call id. */
  readonly idLength?: number
  /** The vendor's name for `tool_choice: "required"`. */
  readonly required?: string
  /** The vendor cannot force a specific tool. Such a choice becomes `required`. */
  readonly unnamed?: boolean
  /** Results contain the tool's name. */
  readonly namedResults?: boolean
}

export interface ThinkingRules {
  /** Reasoning field. `type`: `thinking.type`; `enable`: `enable_thinking`; `reasoning`: OpenRouter's object. */
  readonly as: 'type' | 'enable' | 'reasoning'
  /** The vendor's effort names by the gateway's names, if the vendor supports reasoning efforts. */
  readonly efforts?: Readonly<Record<string, string>>
  /** Pattern of the models that reason unless reasoning is disabled. */
  readonly thinksByDefault?: string
  /** Fields that the vendor rejects in requests with reasoning. */
  readonly drop?: readonly string[]
  /** With reasoning, each assistant message with tool calls must have a reasoning field, even if it is empty. */
  readonly needsReasoningBack?: boolean
}

export interface ReplyRules {
  /** Meaning of finish reasons that OpenAI does not have. `error` means that the reply has failed. */
  readonly stops?: Readonly<Record<string, 'stop' | 'length' | 'tools' | 'filter' | 'error'>>
  /** Reasoning may come as `<think>…</think>` at the beginning of the text. */
  readonly thinkTags?: boolean
  /** `completion_tokens` exclude the reasoning, so the gateway uses the total minus the prompt tokens. */
  readonly completionFromTotal?: boolean
  /** HTTP statuses by error code, for errors that are sent with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** Each reply is rebuilt, even in the vendor's dialect, because it has fields unknown to OpenAI clients. */
  readonly isRebuilt?: boolean
  /** Names of the SSE events that belong to the reply. Other events are ignored. */
  readonly events?: readonly string[]
}
