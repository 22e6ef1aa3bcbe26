import type { DialectName } from '../../../core/channels/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'

/*
 * What is said between a client and a model, in no vendor's words. A dialect reads its client's request into a
 * Conversation and writes ReplyEvents in its client's format; a provider does the same towards an upstream. So a new
 * dialect or a new wire family is one module, whatever the others are.
 */

/** A request for a reply, as a dialect has read it. Absent = the client did not say; 0 and '' are said. */
export interface Conversation {
  /** The format of the client's request. Absent: chat completions. */
  readonly client?: DialectName
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** false: at most one call in a turn. */
  readonly parallelCalls?: boolean
  /** The most tokens that one reply may have, reasoning included. */
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** How many replies are wanted; absent = 1. */
  readonly choices?: number
  readonly logprobs?: boolean
  readonly topLogprobs?: number
  readonly reasoning?: Reasoning
  readonly format?: ReplyFormat
  readonly verbosity?: string
  /** Kinds of output, such as text, image and audio; absent = text. */
  readonly modalities?: readonly string[]
  /** The voice and format of spoken output, as OpenAI has it. */
  readonly audio?: Readonly<Record<string, unknown>>
  /** The upstream's own web search is wanted, with its options in OpenAI's words. */
  readonly webSearch?: Readonly<Record<string, unknown>>
  /** The client's field that asks for it, if the search may be omitted where an upstream has none. */
  readonly webSearchField?: string
  /** The client's fields of tools that no translation has: they are omitted, and reported in a header. */
  readonly omitted?: readonly string[]
  /** How often the web may be searched: so many searches are set aside for. */
  readonly searchesMax?: number
  /** Who the client says its user is. */
  readonly user?: string
  readonly serviceTier?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * Top-level fields of an OpenAI-shaped request that nothing above stands for: vendors invent them weekly. All go on in the
   * client's own format; of those, another format gets what it has as well.
   */
  readonly extras: Readonly<Record<string, unknown>>
}

export type Role = 'system' | 'user' | 'assistant'

/** What one side says at a time. Results of calls are parts of a user's turn. Neighbours may have the same role. */
export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  /** Who of several speakers. */
  readonly name?: string
  /** The beginning of a reply that the model is to go on with: DeepSeek's and Mistral's `prefix`, Moonshot's `partial`. */
  readonly prefix?: boolean
}

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | FilePart
  | ReasoningPart
  | RefusalPart
  | CallPart
  | ResultPart
  | OtherPart

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly cache?: CacheMark
}
export interface ImagePart {
  readonly kind: 'image'
  readonly media: Media
  /** `low`, `high`, `auto`. */
  readonly detail?: string
  readonly cache?: CacheMark
}
export interface AudioPart {
  readonly kind: 'audio'
  /** Base64. */
  readonly data: string
  /** `wav`, `mp3`, … */
  readonly format: string
}
/** A document, or anything that is neither image nor audio. */
export interface FilePart {
  readonly kind: 'file'
  readonly media: Media | { readonly id: string } | { readonly text: string }
  readonly name?: string
  readonly cache?: CacheMark
}
/** What a model thought. Only who signed it can read the signature. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  readonly signature?: string
  /** The whole thought, encrypted; `text` is ''. */
  readonly redacted?: string
}
export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}
/** A tool call that a model made. */
export interface CallPart {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  /** As the model wrote them: a JSON text, or what should have been one; the bare input of a custom tool. */
  readonly arguments: string
  readonly custom?: boolean
  /** Gemini's `thoughtSignature` of this call. */
  readonly signature?: string
}
/** What a tool call gave. */
export interface ResultPart {
  readonly kind: 'result'
  readonly callId: string
  /** The tool's name, where the client told it. */
  readonly name?: string
  /** Texts, images and files. */
  readonly parts: readonly Part[]
  readonly isError?: boolean
  readonly cache?: CacheMark
}
/** A part of an OpenAI-shaped request that only its vendor understands, such as `video_url`. */
export interface OtherPart {
  readonly kind: 'other'
  readonly part: Readonly<Record<string, unknown>>
}

/** Base64 with its type, or an address; the address may be of a kind that only its vendor reads (`gs://`). */
export type Media = { readonly data: string; readonly mime: string } | { readonly url: string; readonly mime?: string }

/** Where Anthropic's cache may break, as the client wrote it: `{ type: 'ephemeral', ttl? }`. */
export type CacheMark = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; absent = none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly strict?: boolean
  /** A tool with free text for its input: OpenAI's `custom`, with its format. */
  readonly custom?: { readonly format?: unknown }
  readonly cache?: CacheMark
  /** A tool that only its vendor understands, as the client wrote it, with the dialect it wrote it in; `name` is its type. */
  readonly vendor?: { readonly dialect: string; readonly tool: Readonly<Record<string, unknown>> }
}

/** `required` with names: one of these. `auto` with names: these or none. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required'
  readonly names?: readonly string[]
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much a model is to think; both absent = as it likes. */
export interface Reasoning {
  readonly effort?: Effort
  /** Tokens; -1 = as many as it likes. */
  readonly budget?: number
  /** The client wants to read the thoughts, or their summary. */
  readonly visible?: boolean
}

export type ReplyFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly strict?: boolean
      readonly description?: string
    }

export type StopReason = 'stop' | 'length' | 'tools' | 'filter'

export interface Citation {
  readonly url: string
  readonly title?: string
  /** Places in the text of the reply, in characters. */
  readonly start?: number
  readonly end?: number
  readonly quote?: string
}

/** A failure that an upstream tells in the body of an answer that began well. */
export interface ReplyError {
  readonly message: string
  readonly type?: string | undefined
  readonly code?: string | undefined
  /** As an HTTP status, where the upstream's words amount to one. */
  readonly status?: number | undefined
}

/**
 * One step of a reply. A whole reply is the same steps at once, so that both are read and written by one piece of code.
 * `choice`: which of several replies; absent = 0.
 */
export type ReplyEvent =
  | { readonly kind: 'start'; readonly id?: string; readonly model?: string }
  | { readonly kind: 'text'; readonly text: string; readonly choice?: number }
  | { readonly kind: 'refusal'; readonly text: string; readonly choice?: number }
  | { readonly kind: 'reasoning'; readonly text: string; readonly choice?: number }
  /** Signs the reasoning that came before it. */
  | { readonly kind: 'signature'; readonly signature: string; readonly choice?: number }
  | { readonly kind: 'redacted'; readonly data: string; readonly choice?: number }
  /** A call begins. Calls count from 0 in the order they begin; its name is known and whole, its id not empty. */
  | {
      readonly kind: 'call'
      readonly call: number
      readonly id: string
      readonly name: string
      readonly custom?: boolean
      readonly signature?: string
      readonly choice?: number
    }
  /** More of a call's arguments. Calls may alternate. */
  | { readonly kind: 'arguments'; readonly call: number; readonly text: string; readonly choice?: number }
  | { readonly kind: 'image'; readonly data: string; readonly mime: string; readonly choice?: number }
  /** Spoken output, as OpenAI's `audio` field has it: pieces of `data`, `transcript`, `id`, `expires_at`. */
  | { readonly kind: 'audio'; readonly audio: Readonly<Record<string, unknown>>; readonly choice?: number }
  | { readonly kind: 'citation'; readonly citation: Citation; readonly choice?: number }
  | { readonly kind: 'logprobs'; readonly logprobs: unknown; readonly choice?: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly sequence?: string; readonly choice?: number }
  /** What was used so far in all: the last one counts. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** How often the upstream has run one of its own tools so far in all: the last one of a tool counts. */
  | { readonly kind: 'hosted'; readonly tool: string; readonly calls: number }
  /** The upstream has stored something that later requests may name. */
  | { readonly kind: 'stored'; readonly object: StoredObject }
  | { readonly kind: 'error'; readonly error: ReplyError }
  /** The upstream says that this was all. A stream that ends without is whole only when a `stop` came. */
  | { readonly kind: 'end' }
