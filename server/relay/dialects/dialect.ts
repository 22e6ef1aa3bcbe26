import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { HeaderList } from '../../header-list.ts'
import type { Reply } from '../conversation/collect.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { PromptSize } from '../counting/prompt.ts'
import type { StreamEvent } from '../transport/events.ts'

export type Body = Readonly<Record<string, unknown>>

/** The context of a reply that a dialect writes. */
export interface ReplyContext {
  readonly requestId: string
  /** The model name of the client's request and reply. */
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  /** The client's request. */
  readonly body: Body
  /** Query string of the client, without `?`. */
  readonly query: string
  /** Whether the upstream's reply contains its own model name, which must be replaced by the client's. */
  readonly renamesModel: boolean
  /** The gateway's estimate, for formats that report prompt tokens before the upstream does. Computed when first read. */
  readonly promptTokens: number
  /** The ids of the response or conversation that a Responses request continues. Absent if the upstream's reply contains them. */
  readonly continuedFrom?: { readonly previousId: string | undefined; readonly conversationId: string | undefined }
  /** Stores a response as sent to the client, because later requests may continue it. Absent = the response is not stored. */
  readonly store?: (response: Record<string, unknown>) => void
}

/** An error before its conversion to a dialect. */
export interface RelayError {
  /** HTTP status. */
  readonly status: number
  /** The message for the client, which includes the request id. */
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly requestId: string
  /** Anthropic's error details, which its clients use to decide whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Number of seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number
  /** Rate limit headers for the client. */
  readonly headers?: HeaderList | undefined
}

/** A format of client requests. Reads requests and writes replies. Depends on no provider; does not send, price or log. */
export interface Dialect {
  readonly name: DialectName
  /** Throws REQUEST_MALFORMED, with the field, if no upstream could serve the request. Must be fast: it runs for each request. */
  check(body: Body): void
  /** Returns the parts of the prompt that affect its price. Must be fast: it runs for each request. */
  prompt(body: Body): PromptSize
  /**
   * Returns the number of replies (`choices`) and the maximum tokens per reply (undefined = no limit). If the client sets
   * several limits, returns the highest, because upstreams differ in which field they obey.
   */
  limit(body: Body): { tokens: number | undefined; choices: number }
  /** Returns the body with a limit of `tokens` per reply, for a request without a limit. */
  withLimit(body: Body, tokens: number): Record<string, unknown>
  /** Parses a request. Throws REQUEST_MALFORMED, with the field. */
  parse(body: Body): Conversation
  /**
   * Adds a system prompt if the request has none. If the request has one, `before` decides: true = puts this prompt in front of
   * it; false = returns the same body.
   */
  withSystemPrompt(body: Body, prompt: string, options: { before: boolean }): Record<string, unknown>
  /** Writes a translated reply as a stream. */
  writer(context: ReplyContext): ReplyWriter
  /** Writes a translated reply as one JSON body. `usage` is the usage to report to the client. */
  whole(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown>
  /** Forwards an upstream's stream of this format. */
  forwarder(context: ReplyContext): StreamForwarder
  /** Replaces the upstream's model name in a whole body of this format. */
  withModelName(body: Body, model: string): Record<string, unknown>
  /** Returns an error response in this format. */
  error(error: RelayError): { body: unknown; headers?: Record<string, string> }
  /** Returns an error as the last event of a stream. */
  errorEvent(error: RelayError, context: ReplyContext): string
  /** Returns texts to send after `errorEvent`, each in a chunk of its own, because some clients detect an error only there. */
  trailingErrorChunks?(error: RelayError, context: ReplyContext): readonly string[]
  /** The keep-alive text: a whole event, or a comment. */
  readonly ping: string
}

/** Writes one reply as a stream. */
export interface ReplyWriter {
  readonly contentType: string
  /** Overrides the dialect's `ping`, for streams in another framing. */
  readonly ping?: string
  /** Returns the text to send for this event; '' = nothing to send yet. `usage`, `stop` and `end` are written by `end`. */
  write(event: ReplyEvent): string
  /** Returns the end of the stream: closed blocks, stop reason, usage, the last event. Called after the charge is committed. */
  end(usage: Usage): string
  /** Returns the end of an interrupted stream: the error in this format, without an end marker. */
  broken(error: RelayError): string
}

/** Forwards an upstream's events with minimal changes. */
export interface StreamForwarder {
  readonly contentType: string
  /** Overrides the dialect's `ping`, for streams in another framing. */
  readonly ping?: string
  /** Returns the data to send for this event: the event's bytes if nothing changes; undefined = the event is dropped. */
  pass(event: StreamEvent): Buffer | string | undefined
  /** Whether this event could make a client treat the reply as complete. If so, it and all later events wait for the charge. */
  isLast(event: StreamEvent): boolean
  /** Returns the text after the last event. `usage` is set if the upstream reported no usage. */
  end(usage: Usage | undefined): string
  /** Returns the end of an interrupted stream. Absent = the dialect's `errorEvent` is sent. */
  broken?(error: RelayError): string
}
