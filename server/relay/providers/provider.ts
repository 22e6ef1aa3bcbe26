import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FailedAttempt } from '../../../core/channels/health/classify-failure.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { Body } from '../dialects/dialect.ts'
import type { StreamEvent } from '../transport/events.ts'
import type { GeminiSettings } from './gemini/settings.ts'

/** A client's request in the form that providers need. */
export interface ProviderRequest {
  readonly operation: Operation
  /** The format of the request. For operations other than `chat`, the format is OpenAI's. */
  readonly dialect: DialectName
  /** The client's bytes, from which `body` was parsed. */
  readonly raw: Buffer
  /** The parsed body. For a multipart request, the text fields only. */
  readonly body: Body
  /** The upstream's model name: the client's name, replaced by the channel's model mapping if it has an entry. */
  readonly model: string
  /** The client's model name. */
  readonly requestedModel: string
  readonly stream: boolean
  /** Query string of the client, without `?`. */
  readonly query: string
  /** Client headers that may be forwarded. */
  readonly headers: Readonly<Record<string, string>>
  /** All headers of the client. A channel's `header_override` may copy any of them. */
  readonly clientHeaders?: IncomingHttpHeaders
  /** Returns the conversation in `body`, which is parsed only once. Only for `chat`. Throws REQUEST_MALFORMED. */
  conversation(): Conversation
  /** The files of a multipart request, stored on disk. */
  readonly upload?: Upload
}

/** A multipart body, stored on disk. */
export interface Upload {
  readonly files: readonly UploadedFile[]
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}
export interface UploadedFile {
  readonly field: string
  readonly filename: string
  readonly mime: string
  readonly bytes: number
  /** Opens a new stream at each call, because the request may be sent several times. */
  open(): Readable
}

/** The HTTP request that the transport sends for a provider. */
export interface UpstreamRequest {
  /** An http(s) or ws(s) URL. For a ws(s) URL, `body` is the first text frame. */
  readonly url: string
  /** The default is POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers: Record<string, string>
  /** A function opens a new stream for each attempt. For a stream, `headers` has `content-length` if it is known. */
  readonly body: Buffer | string | (() => Readable) | null
}

/** The format in which an upstream separates events. Each websocket frame counts as a line of `ndjson`. */
export type Framing = 'sse' | 'ndjson' | 'aws'

/** One exchange with an upstream: the request to send, and the reader for the reply. */
export interface Plan {
  readonly request: UpstreamRequest
  /** Returns the request with a signature. Called after all other changes to the request. Absent if none is needed. */
  readonly sign?: (request: UpstreamRequest) => Promise<UpstreamRequest>
  /** Framing of a streamed reply. The default is `sse`. A reply with a JSON content type is read as a whole. */
  readonly framing?: Framing
  /** Reads the reply of a `chat`. Each attempt needs a new reader, because readers have state. */
  readonly reader?: ReplyReader
  /**
   * True if the reply is in the client's format, so that its bytes are forwarded, and `reader` only observes it. Any
   * other reply is translated.
   */
  readonly native?: boolean
  /** True if a `chat` request was not built from a conversation, so that the client gets no list of omitted fields. */
  readonly isNotConversation?: true
  /** True if only the reply is in the client's format, because the upstream would reject the client's body. */
  readonly isRequestAdapted?: boolean
  /** True if a native reply contains the upstream's model name. The gateway replaces it by the client's model name. */
  readonly renamesModel?: boolean
  /** True if the upstream always streams. Not needed for `sse`, which is recognized by its content type. */
  readonly alwaysStreams?: boolean
  /**
   * The cached credential in the request, by its cache key. If `isRejectedBy` is true for the upstream's failure, the
   * gateway removes the credential from the cache, and sends the request once more with a new credential.
   */
  readonly credential?: { readonly key: string; isRejectedBy(failure: Failure): boolean }
  /** True if the reader also needs events whose payload is not JSON. */
  readonly readsNonJsonEvents?: boolean
  /**
   * Returns the final reply for a JSON reply that may not be final: polls a job, or sends more requests. For operations
   * other than `chat`, also converts an error with status 200 to OpenAI's format.
   */
  readonly complete?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** For operations other than `chat`, converts the upstream's JSON reply to OpenAI's format. */
  readonly convert?: (body: Record<string, unknown>) => Record<string, unknown>
  /** HTTP statuses by the vendor's error codes, for errors in replies with status 200. Not for `chat`. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** True if the reply may be binary or plain text, such as audio or subtitles. Such a reply is forwarded as bytes. */
  readonly mayBeBinary?: boolean
  /** Converts a binary reply, such as an image, to JSON in OpenAI's format. */
  readonly convertBytes?: (bytes: Buffer, contentType: string) => Record<string, unknown>
}

export type TextEvent = Extract<ReplyEvent, { kind: 'text' | 'reasoning' }>

/** Reads one reply, whole or streamed. Ignores unknown fields and events. Missing usage is not an error. */
export interface ReplyReader {
  /** Returns the reply events for one event of a stream. */
  event(event: StreamEvent): ReplyEvent[]
  /**
   * Returns the reply events of a stream event that differs from an earlier stream event only in its text, which is now
   * `text`. `event` is the only reply event of the earlier stream event. If this method is absent or returns undefined,
   * the caller must parse the stream event.
   */
  repeatText?(event: TextEvent, text: string): ReplyEvent[] | undefined
  /**
   * Returns the events of a whole JSON reply, including `stop`, `usage` and `end`. For an error with status 200,
   * returns an `error` event.
   */
  whole(body: Record<string, unknown>): ReplyEvent[]
  /** Returns the remaining events after the end of a streamed body. */
  close?(): ReplyEvent[]
}

/** Services and settings that a provider may need for its plan. All calls use the channel's proxy. */
export interface ProviderContext {
  /**
   * Sends a short request to the vendor, such as for a token, an upload or the state of a job. Resolves for any HTTP
   * status. Rejects if there is no response.
   */
  call(
    request: UpstreamRequest,
    options?: { timeoutMs?: number; bytesMax?: number },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>
  /**
   * Downloads a URL of the client's request or of an upstream's reply, from public addresses only. Detects `mime` from
   * the bytes. `uses` states how many times the request contains the file. Throws MEDIA_REFUSED and MEDIA_UNAVAILABLE.
   */
  download(url: string, uses?: number): Promise<{ data: Buffer; mime: string }>
  /**
   * Returns the cached credential. If there is none, calls `ask` and caches its result until `expiresAt`, in
   * milliseconds since the epoch. Concurrent callers share one call of `ask`.
   */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Removes from the cache a credential that the upstream rejected. */
  forgetCredential(key: string): void
  /** Caches signatures of reasoning by a key such as a call id, because many clients do not send signatures back. */
  readonly signatures: {
    get(callId: string): string | undefined
    set(callId: string, signature: string): void
    /** Loads signatures that other processes stored. Absent if there are no other processes. */
    load?(callIds: readonly string[]): Promise<void>
  }
  /** The operator's settings for all Gemini and Vertex AI channels, if they differ from the defaults. */
  readonly gemini?: GeminiSettings
  /** Waits `ms` milliseconds. Rejects if the relay ends earlier. */
  sleep(ms: number): Promise<void>
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

/** An attempt's error in OpenAI's format, and whether to retry. */
export interface Failure extends FailedAttempt {
  readonly status: number
  readonly message: string
  /** The message in Chinese. Absent if there is only one text, such as the upstream's. */
  readonly messageZh?: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
  /** Anthropic's error details. Anthropic's clients decide by these details whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The upstream's request id, for questions to the upstream's support. */
  readonly upstreamRequestId?: string
}

/**
 * Translates to and from the format of one family. Does not send, retry, charge, log or choose channels. Makes other
 * calls only through `context`.
 */
export interface Provider {
  /**
   * Returns the exchange for a request. Throws REQUEST_MALFORMED if the upstream does not support the request,
   * OPERATION_UNSUPPORTED if it lacks the operation, and CHANNEL_MISCONFIGURED if the channel lacks a setting. Also
   * throws the errors of `context`.
   */
  plan(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Plan | Promise<Plan>
  /** Converts an error response of the upstream. */
  failure(status: number, body: string, headers: IncomingHttpHeaders): Failure
  /**
   * Returns the number of tokens of a prompt, for upstreams that count tokens free of charge. If this method is absent
   * or returns undefined, the gateway counts the tokens.
   */
  countTokens?(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Promise<number | undefined>
}
