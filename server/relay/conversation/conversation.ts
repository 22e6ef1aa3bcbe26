import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'

/*
 * The vendor-neutral form of requests and replies. A dialect parses a client's request to a Conversation, and writes
 * ReplyEvents in the client's format. A provider writes a Conversation in an upstream's format, and parses the reply to
 * ReplyEvents. So each dialect and each family is an independent module.
 */

/**
 * A request for a reply, as a dialect parses it. If a property is absent, the client did not set it. 0 and '' are
 * values that the client set.
 */
export interface Conversation {
  /** The format of the client's request. The default is chat completions. */
  readonly client?: DialectName
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** If false, the model may make at most one call in a turn. */
  readonly parallelCalls?: boolean
  /** Maximum tokens of one reply, including reasoning. */
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** Number of requested replies. The default is 1. */
  readonly choices?: number
  readonly logprobs?: boolean
  readonly topLogprobs?: number
  readonly reasoning?: Reasoning
  readonly format?: ReplyFormat
  readonly verbosity?: string
  /** Kinds of output, such as text, image and audio. The default is text. */
  readonly modalities?: readonly string[]
  /** The voice and format of audio output, in OpenAI's format. */
  readonly audio?: Readonly<Record<string, unknown>>
  /** Set if the client requests the upstream's own web search, with the options in OpenAI's format. */
  readonly webSearch?: Readonly<Record<string, unknown>>
  /**
   * The client's field that requests web search. Only if it is set, the gateway omits a search that the upstream does not
   * support.
   */
  readonly webSearchField?: string
  /** Tool fields that cannot be translated. The gateway omits them and lists them in a header of the reply. */
  readonly omitted?: readonly string[]
  /** Maximum number of web searches. The hold covers this number. */
  readonly searchesMax?: number
  readonly user?: string
  readonly serviceTier?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * Other top-level fields of an OpenAI-style request, which often are a vendor's own. An upstream with the client's
   * format gets all these fields. Any other upstream gets the fields that its format supports.
   */
  readonly extras: Readonly<Record<string, unknown>>
}

type Role = 'system' | 'user' | 'assistant'

/** A message of one role. Results of calls are parts of a user turn. Consecutive turns may have the same role. */
export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  /** The name of the speaker, if several speakers have the role. */
  readonly name?: string
  /**
   * Whether the turn is the beginning of a reply that the model must continue. DeepSeek and Mistral call it `prefix`,
   * Moonshot `partial`.
   */
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
  /** The detail with which the model reads the image: `low`, `high` or `auto`. */
  readonly detail?: string
  readonly cache?: CacheMark
}
export interface AudioPart {
  readonly kind: 'audio'
  readonly data: string
  /** The format of the audio: `wav`, `mp3`, … */
  readonly format: string
}
/** A document, or any file other than an image or audio. */
export interface FilePart {
  readonly kind: 'file'
  readonly media: Media | { readonly id: string } | { readonly text: string }
  readonly name?: string
  readonly cache?: CacheMark
}
/** A model's reasoning. Only the vendor that created the signature can check it. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  readonly signature?: string
  /** The encrypted reasoning. If it is set, `text` is ''. */
  readonly redacted?: string
}
interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}
export interface CallPart {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  /** The text that the model wrote: JSON, possibly invalid, or free text for a custom tool. */
  readonly arguments: string
  readonly custom?: boolean
  /** Gemini's `thoughtSignature` of this call. */
  readonly signature?: string
  readonly cache?: CacheMark
}
export interface ResultPart {
  readonly kind: 'result'
  readonly callId: string
  /** The tool's name, if the client sent it. */
  readonly name?: string
  /** The content of the result: texts, images and files. */
  readonly parts: readonly Part[]
  readonly isError?: boolean
  readonly cache?: CacheMark
}
/** A content part in an OpenAI-style request that only some vendors support, such as `video_url`. */
interface OtherPart {
  readonly kind: 'other'
  readonly part: Readonly<Record<string, unknown>>
}

/** Base64 with its media type, or a URL. Only Google can read `gs://` URLs. */
export type Media = { readonly data: string; readonly mime: string } | { readonly url: string; readonly mime?: string }

/** A breakpoint of Anthropic's cache, as the client wrote it: `{ type: 'ephemeral', ttl? }`. */
export type CacheMark = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, if any. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly strict?: boolean
  /** Set for a tool with free text as input: OpenAI's `custom`, with its format. */
  readonly custom?: { readonly format?: unknown }
  readonly cache?: CacheMark
  /**
   * Set for a tool that only one vendor supports. Contains the unchanged tool, and the dialect of the request. `name`
   * is the type of such a tool.
   */
  readonly vendor?: { readonly dialect: string; readonly tool: Readonly<Record<string, unknown>> }
}

/**
 * With `required`, the model must call a tool, and with `auto` it may. If there are names, only these tools are
 * allowed.
 */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required'
  readonly names?: readonly string[]
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much a model should think. If `effort` and `budget` are absent, the model decides. */
export interface Reasoning {
  readonly effort?: Effort
  /** Maximum tokens of reasoning. With -1, the model decides. */
  readonly budget?: number
  /** Whether the client wants to read the reasoning or its summary. */
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
  /** Positions in the text of the reply, in characters: `start` inclusive, `end` exclusive. */
  readonly start?: number
  readonly end?: number
  readonly quote?: string
}

/** A failure that an upstream reports inside a response with a success status. */
export interface ReplyError {
  readonly message: string
  readonly type?: string | undefined
  readonly code?: string | undefined
  /** The HTTP status that the error corresponds to, if known. */
  readonly status?: number | undefined
}

/**
 * One event of a reply. Complete replies are converted to the same events as streams, so that the same code handles
 * them. `choice` is the index of the reply if the client requests several replies. The default is 0.
 */
export type ReplyEvent =
  | { readonly kind: 'start'; readonly id?: string; readonly model?: string }
  | { readonly kind: 'text'; readonly text: string; readonly choice?: number }
  | { readonly kind: 'refusal'; readonly text: string; readonly choice?: number }
  | { readonly kind: 'reasoning'; readonly text: string; readonly choice?: number }
  /** The signature of the preceding reasoning. */
  | { readonly kind: 'signature'; readonly signature: string; readonly choice?: number }
  | { readonly kind: 'redacted'; readonly data: string; readonly choice?: number }
  /**
   * The beginning of a call. Calls are numbered from 0 in the order in which they begin. The name is complete, and the
   * id is not empty.
   */
  | {
      readonly kind: 'call'
      readonly call: number
      readonly id: string
      readonly name: string
      readonly custom?: boolean
      readonly signature?: string
      readonly choice?: number
    }
  /** Text to append to the arguments of a call. Events of several calls may alternate. */
  | { readonly kind: 'arguments'; readonly call: number; readonly text: string; readonly choice?: number }
  | { readonly kind: 'image'; readonly data: string; readonly mime: string; readonly choice?: number }
  /**
   * Audio output in the format of OpenAI's `audio` field. Each event has some of `data`, `transcript`, `id` and
   * `expires_at`.
   */
  | { readonly kind: 'audio'; readonly audio: Readonly<Record<string, unknown>>; readonly choice?: number }
  | { readonly kind: 'citation'; readonly citation: Citation; readonly choice?: number }
  | { readonly kind: 'logprobs'; readonly logprobs: unknown; readonly choice?: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly sequence?: string; readonly choice?: number }
  /** The total usage so far. Only the last of these events counts. `tier` is the service tier that was used. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly tier?: string }
  /** The total number of calls of a hosted tool so far. Only the last of these events for a tool counts. */
  | { readonly kind: 'hosted'; readonly tool: string; readonly calls: number }
  /** The upstream has stored an object that later requests may name. */
  | { readonly kind: 'stored'; readonly object: StoredObject }
  | { readonly kind: 'error'; readonly error: ReplyError }
  /** The upstream's end marker. A stream without an end marker is complete only after a `stop`. */
  | { readonly kind: 'end' }
