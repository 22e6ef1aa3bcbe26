import type { DialectName, Operation } from './operations.ts'

/**
 * What a vendor of OpenAI's language does otherwise than OpenAI. All of it is data: the relay knows what each of these
 * means, and no vendor by name. Absent = as OpenAI has it.
 */
export interface Quirks {
  /** Top-level fields of a request, by what is asked. */
  readonly fields?: Readonly<Partial<Record<Operation, FieldRules>>>
  /** The meaning of model names, and what such models refuse. */
  readonly models?: 'openai' | 'xai'
  readonly messages?: MessageRules
  readonly tools?: ToolRules
  readonly thinking?: ThinkingRules
  readonly reply?: ReplyRules
  /** It searches the web for `web_search_options`, whatever the model. */
  readonly webSearch?: true
  /** Where models whose name begins so converse, by that beginning. */
  readonly modelPaths?: Readonly<Record<string, string>>
  /** Where a reply is gone on with that the client has begun. */
  readonly prefixPath?: string
  /** Formats in which the key goes into `x-api-key`. */
  readonly apiKeyIn?: readonly DialectName[]
}

/** In this order: renamed, then dropped, then kept in bounds. */
export interface FieldRules {
  /** New name by old name; a field that is there under its new name already stays. */
  readonly rename?: Readonly<Record<string, string>>
  /** Fields that the vendor refuses. */
  readonly drop?: readonly string[]
  /** The only fields that the vendor takes. */
  readonly only?: readonly string[]
  /** Smallest and largest value. */
  readonly clamp?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Values that fields must have, if they are there. */
  readonly force?: Readonly<Record<string, unknown>>
}

export interface MessageRules {
  /** It knows the role `developer`; otherwise that is `system`. */
  readonly developer?: boolean
  /** Roles alternate after the system messages: neighbours are merged. */
  readonly alternate?: boolean
  /** The only fields of a message. */
  readonly only?: readonly string[]
  /** Fields beyond OpenAI's are refused in messages. */
  readonly strict?: boolean
  /** How it takes back what its model thought. */
  readonly reasoning?: 'content' | 'details'
  /** It honours `cache_control`. */
  readonly cacheMarks?: boolean
  /** It reads no addresses of images: they are brought along. */
  readonly inlineMedia?: boolean
  /** The mark of a reply that is to be gone on with. */
  readonly prefix?: 'prefix' | 'partial'
}

export interface ToolRules {
  /** It knows no tools: what was called and answered becomes text. */
  readonly none?: boolean
  /** How many letters and digits an id of a call has, exactly. */
  readonly idLength?: number
  /** What `tool_choice: "required"` is called. */
  readonly required?: string
  /** It cannot be told which tool: that becomes `required`. */
  readonly unnamed?: boolean
  /** Results tell the tool's name. */
  readonly namedResults?: boolean
}

export interface ThinkingRules {
  /** `type`: `thinking: { type }`; `enable`: `enable_thinking`; `reasoning`: OpenRouter's object. */
  readonly as: 'type' | 'enable' | 'reasoning'
  /** Its word by ours, for efforts that it knows beside that. */
  readonly efforts?: Readonly<Record<string, string>>
  /** A pattern of the models that think unless told not to. */
  readonly unasked?: string
  /** Fields that are refused while it thinks. */
  readonly drop?: readonly string[]
  /** While it thinks, each turn with calls must bring its thoughts back, be they empty. */
  readonly recalls?: boolean
}

export interface ReplyRules {
  /** Finish reasons beside OpenAI's; `error`: the reply has failed. */
  readonly stops?: Readonly<Record<string, 'stop' | 'length' | 'tools' | 'filter' | 'error'>>
  /** Thoughts may come as `<think>…</think>` at the beginning of the text. */
  readonly thinkTags?: boolean
  /** `completion_tokens` leave the reasoning out: total less prompt is right. */
  readonly completionFromTotal?: boolean
  /** HTTP statuses by the codes of errors that come with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** Its replies have what no OpenAI client reads, so each is written anew, also for clients that speak its language. */
  readonly anew?: boolean
  /** Names of the events that belong to the reply; others are told about it. */
  readonly events?: readonly string[]
}
