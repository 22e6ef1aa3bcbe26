import type { DialectName } from '../../../core/channels/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { Reply } from '../conversation/collect.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { PromptSize } from '../counting/prompt.ts'
import type { StreamEvent } from '../transport/events.ts'

export type Body = Readonly<Record<string, unknown>>

/** What a dialect must know of a relay to write its reply. */
export interface ReplyContext {
  readonly requestId: string
  /** The model that the client asked for, and reads of. */
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  /** The client's request. */
  readonly body: Body
  /** Query string of the client, without `?`. */
  readonly query: string
  /** The upstream names its own model; the client is to read the one it asked for. */
  readonly renamesModel: boolean
  /** Our own estimate, for formats that tell the prompt's tokens before the upstream does. */
  readonly promptTokens: number
  /** Of a Responses request: what it went on from, where the upstream's reply does not say so. */
  readonly continued?: { readonly previousId: string | undefined; readonly conversationId: string | undefined }
  /** Gets a response as its client will read it, because later requests may go on from it. Absent: it is not stored. */
  readonly keep?: (response: Record<string, unknown>) => void
}

/** An error as every dialect can word it. */
export interface RelayError {
  /** HTTP status. */
  readonly status: number
  /** With the request id. */
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly requestId: string
  /** What Anthropic's clients read to decide how to go on. */
  readonly details?: Readonly<Record<string, unknown>>
  /** When it is worth asking again. */
  readonly retryAfterSeconds?: number
}

/**
 * A format that clients speak. It reads requests and writes replies, and knows no provider: it does not send, price or
 * log. Formats: see the folder of each.
 */
export interface Dialect {
  readonly name: DialectName
  /** Throws REQUEST_MALFORMED naming the field: what no upstream could serve. Cheap: it runs for each request. */
  check(body: Body): void
  /** The prompt, as far as its price goes. Cheap too. */
  prompt(body: Body): PromptSize
  /**
   * How many tokens a reply may have at most, as far as the client says in the fields that upstreams obey, and how many replies
   * it wants.
   */
  limit(body: Body): { tokens: number | undefined; choices: number }
  /** The same request with a limit of each reply, for one that has none. */
  withLimit(body: Body, tokens: number): Record<string, unknown>
  /** Throws REQUEST_MALFORMED for what cannot be understood, naming the field. */
  parse(body: Body): Conversation
  /** The same request with a system prompt: where it has none, or, with `before`, in front of what it has; else the very body. */
  withSystemPrompt(body: Body, prompt: string, options: { before: boolean }): Record<string, unknown>
  /** Writes a translated reply as a stream. */
  writer(context: ReplyContext): ReplyWriter
  /** Writes a translated reply as one JSON body. `usage` is what is charged: reported, or counted here. */
  whole(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown>
  /** A stream of this very format that comes from the upstream, on its way to the client. */
  passing(context: ReplyContext): PassingStream
  /** A whole body of this very format, with the requested model's name for the upstream's. */
  renamed(body: Body, model: string): Record<string, unknown>
  error(error: RelayError): { body: unknown; headers?: Record<string, string> }
  /** An error as the last event of a stream that has begun. */
  errorEvent(error: RelayError, context: ReplyContext): string
  /** What follows that event, to be read by itself: some clients see no error elsewhere. */
  errorAlone?(error: RelayError, context: ReplyContext): readonly string[]
  /** Sent when nothing else was for a while: a whole event, or a comment. */
  readonly ping: string
}

/** Writes one reply as a stream. */
export interface ReplyWriter {
  readonly contentType: string
  /** Instead of the dialect's, for streams in another framing. */
  readonly ping?: string
  /** What goes to the client for this event; '' when nothing does yet. `usage`, `stop` and `end` are kept for the end. */
  write(event: ReplyEvent): string
  /** The rest, once the charge is committed: open parts closed, stop reason, usage, the format's last event. */
  end(usage: Usage): string
  /** As `end`, for a stream that broke off: the error in this format, nothing after it. */
  broken(error: RelayError): string
}

/** Sends an upstream's own events on, changing as little as possible. */
export interface PassingStream {
  readonly contentType: string
  /** Instead of the dialect's, for streams in another framing. */
  readonly ping?: string
  /**
   * What goes to the client for this event. Bytes wherever nothing must change; undefined = it is not for the client.
   */
  pass(event: StreamEvent): Buffer | string | undefined
  /** Whether a client may take the reply for whole when it reads this event: it and all after it wait for the charge. */
  isLast(event: StreamEvent): boolean
  /** Written after the last event. `usage` is set when the upstream reported none. */
  end(usage: Usage | undefined): string
  /** As `end`, for a stream that broke off. Absent = the dialect's `errorEvent`. */
  broken?(error: RelayError): string
}
