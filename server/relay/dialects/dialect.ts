import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { HeaderList } from '../../header-list.ts'
import type { Reply } from '../conversation/collect.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { PromptContents } from '../counting/prompt.ts'
import type { StreamEvent } from '../transport/events.ts'

export type Body = Readonly<Record<string, unknown>>

/** The context of a reply that a dialect writes. */
export interface ReplyContext {
  readonly requestId: string
  /** The model name of the client's request and reply. */
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  readonly body: Body
  /** Query string of the client, without `?`. */
  readonly query: string
  /** Whether the reply has the upstream's name of the model, which the dialect must replace by `model`. */
  readonly renamesModel: boolean
  /**
   * The gateway's estimate of the prompt tokens, for formats that report prompt tokens at the start of a stream. The
   * getter counts the tokens at its first use.
   */
  readonly promptTokens: number
  /**
   * The ids of the response or conversation that a Responses request continues. Absent if the upstream's reply already
   * contains these ids.
   */
  readonly continuedFrom?: { readonly previousId: string | undefined; readonly conversationId: string | undefined }
  /**
   * Stores a response as it is sent to the client, because later requests may continue the response. Absent if the
   * response must not be stored.
   */
  readonly store?: (response: Record<string, unknown>) => void
}

/** An error before a dialect formats it. */
export interface RelayError {
  readonly status: number
  /** The message for the client, which includes the request id. */
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly requestId: string
  /** Anthropic's error details. Anthropic's clients decide by these details whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** Rate limit headers for the client. */
  readonly headers?: HeaderList | undefined
}

/**
 * A client's format. A dialect reads requests and writes replies. It depends on no provider, and does not send, price
 * or log.
 */
export interface Dialect {
  readonly name: DialectName
  /**
   * Throws REQUEST_MALFORMED, which names the field, if no upstream could serve the request. Must be fast, because it
   * runs for each request.
   */
  check(body: Body): void
  /** Returns the texts, files and tokens that determine the prompt's price. Must be fast, like `check`. */
  prompt(body: Body): PromptContents
  /**
   * Returns the number of replies (`choices`) and the maximum tokens per reply, if limited. If a client sets several
   * limits, the highest counts, because upstreams differ in which limit they obey.
   */
  limit(body: Body): { tokens: number | undefined; choices: number }
  /** Returns the body with a limit of `tokens` per reply. Called only if the request has no limit. */
  withLimit(body: Body, tokens: number): Record<string, unknown>
  /** Parses a request. Throws REQUEST_MALFORMED, which names the field. */
  parse(body: Body): Conversation
  /**
   * Adds a system prompt. If the request already has a system prompt, puts `prompt` in front of it (`before` is true),
   * or returns the same body (`before` is false).
   */
  withSystemPrompt(body: Body, prompt: string, options: { before: boolean }): Record<string, unknown>
  writer(context: ReplyContext): ReplyWriter
  /** Writes a translated reply as one JSON body. `usage` is the usage to report to the client. */
  whole(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown>
  /** Returns a forwarder for an upstream's stream that is already in this format. */
  forwarder(context: ReplyContext): StreamForwarder
  /** Replaces the upstream's model name in a whole body of this format. */
  withModelName(body: Body, model: string): Record<string, unknown>
  /** Returns an error response in this format. */
  error(error: RelayError): { body: unknown; headers?: Record<string, string> }
  /** Returns an error in the form of the last event of a stream. */
  errorEvent(error: RelayError, context: ReplyContext): string
  /** Returns texts to send after `errorEvent`, each as a separate chunk. Some clients detect only such errors. */
  trailingErrorChunks?(error: RelayError, context: ReplyContext): readonly string[]
  /** The text that keeps an idle connection open: a whole event, or a comment. */
  readonly ping: string
}

export interface ReplyWriter {
  readonly contentType: string
  /** Replaces the dialect's `ping` for streams in another framing. */
  readonly ping?: string
  /**
   * Returns the text to send for an event, or '' if there is nothing to send yet. For the events `usage`, `stop` and
   * `end`, the method `end` returns the text later.
   */
  write(event: ReplyEvent): string
  /**
   * Returns the end of the stream: the ends of open blocks, the stop reason, the usage and the last event. Called after
   * the charge is committed.
   */
  end(usage: Usage): string
  /** Returns the end of an interrupted stream: the error in this format, without an end marker. */
  interrupted(error: RelayError): string
}

/** Forwards the events of an upstream that uses this format, with minimal changes. */
export interface StreamForwarder {
  readonly contentType: string
  /** Replaces the dialect's `ping` for streams in another framing. */
  readonly ping?: string
  /**
   * Returns the data to send for an event. If nothing changes, these are the bytes of the event. Returns undefined if
   * the event is dropped.
   */
  forward(event: StreamEvent): Buffer | string | undefined
  /** Whether `forward` would return the unchanged bytes of an event that repeats an earlier event. */
  keepsBytes?(event: StreamEvent): boolean
  /**
   * Whether a client could treat the reply as complete after this event. If so, this event and all later events wait
   * for the charge.
   */
  isLast(event: StreamEvent): boolean
  /** Returns the text after the last event. `usage` is undefined if the upstream has reported usage. */
  end(usage: Usage | undefined): string
  /** Returns the end of an interrupted stream. If absent, the dialect's `errorEvent` is sent. */
  broken?(error: RelayError): string
}
