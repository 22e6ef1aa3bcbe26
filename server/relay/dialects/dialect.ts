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
  /** The upstream sends its own model name, which must be replaced by the client's. */
  readonly renamesModel: boolean
  /** Estimated by the gateway when read, for formats that report prompt tokens before the upstream does. */
  readonly promptTokens: number
  /** The response or conversation that a Responses request continues, if the upstream's reply lacks it. */
  readonly continuedFrom?: { readonly previousId: string | undefined; readonly conversationId: string | undefined }
  /** Stores a response as sent to the client, since later requests may continue it. Absent: not stored. */
  readonly store?: (response: Record<string, unknown>) => void
}

/** An error before its conversion to a dialect. */
export interface RelayError {
  /** HTTP status. */
  readonly status: number
  /** Includes the request id. */
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly requestId: string
  /** Anthropic's error details, which its clients use to decide whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** When a retry may succeed. */
  readonly retryAfterSeconds?: number
  /** Rate limit headers for the client. */
  readonly headers?: HeaderList | undefined
}

/** A format that clients speak. Reads requests and writes replies; knows no provider, and does not send, price or log. */
export interface Dialect {
  readonly name: DialectName
  /** Throws REQUEST_MALFORMED, with the field, if no upstream could serve the request. Runs for each request, so it must be cheap. */
  check(body: Body): void
  /** Returns the parts of the prompt that affect its price. Must be cheap too. */
  prompt(body: Body): PromptSize
  /** Returns the highest limit of tokens per reply that the client sets in fields that upstreams obey, and the number of replies. */
  limit(body: Body): { tokens: number | undefined; choices: number }
  /** Sets a limit per reply, for a request without one. */
  withLimit(body: Body, tokens: number): Record<string, unknown>
  /** Parses a request. Throws REQUEST_MALFORMED, with the field. */
  parse(body: Body): Conversation
  /** Adds a system prompt if the request has none, or, with `before`, in front of its own. Otherwise returns the same body. */
  withSystemPrompt(body: Body, prompt: string, options: { before: boolean }): Record<string, unknown>
  /** Writes a translated reply as a stream. */
  writer(context: ReplyContext): ReplyWriter
  /** Writes a translated reply as one JSON body. `usage` is charged, reported or counted by the gateway. */
  whole(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown>
  /** Forwards an upstream's stream of this format. */
  forwarder(context: ReplyContext): StreamForwarder
  /** Replaces the upstream's model name in a whole body of this format. */
  withModelName(body: Body, model: string): Record<string, unknown>
  error(error: RelayError): { body: unknown; headers?: Record<string, string> }
  /** An error as the last event of a stream. */
  errorEvent(error: RelayError, context: ReplyContext): string
  /** Events after `errorEvent`, each in a separate chunk: some clients detect an error only there. */
  trailingErrorChunks?(error: RelayError, context: ReplyContext): readonly string[]
  /** Keep-alive: a whole event, or a comment. */
  readonly ping: string
}

/** Writes one reply as a stream. */
export interface ReplyWriter {
  readonly contentType: string
  /** Overrides the dialect's `ping`, for streams in another framing. */
  readonly ping?: string
  /** Returns the text to send for this event; '' for none yet. Keeps `usage`, `stop` and `end` for the end. */
  write(event: ReplyEvent): string
  /** Returns the rest, once the charge is committed: closed blocks, stop reason, usage, the last event. */
  end(usage: Usage): string
  /** Like `end`, for an interrupted stream: the error in this format, and nothing after it. */
  broken(error: RelayError): string
}

/** Forwards an upstream's events with minimal changes. */
export interface StreamForwarder {
  readonly contentType: string
  /** Overrides the dialect's `ping`, for streams in another framing. */
  readonly ping?: string
  /** Returns what to send for this event: its bytes if nothing changes; undefined = nothing. */
  pass(event: StreamEvent): Buffer | string | undefined
  /** Whether this event could make a client treat the reply as complete: it and all later events wait for the charge. */
  isLast(event: StreamEvent): boolean
  /** Returns the text after the last event. `usage` is set if the upstream reported none. */
  end(usage: Usage | undefined): string
  /** Like `end`, for an interrupted stream. Absent = the dialect's `errorEvent`. */
  broken?(error: RelayError): string
}
