import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FailedAttempt } from '../../../core/channels/health/classify-failure.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { Body } from '../dialects/dialect.ts'
import type { StreamEvent } from '../transport/events.ts'
import type { GeminiSettings } from './gemini/settings.ts'

/** A client's request, with the data that a provider needs. */
export interface ProviderRequest {
  readonly operation: Operation
  /** The format of the request. For operations other than `chat`, it is OpenAI's. */
  readonly dialect: DialectName
  /** The client's bytes, from which `body` was parsed. */
  readonly raw: Buffer
  /** The parsed body. For a multipart request, its text fields without the files. */
  readonly body: Body
  /** The upstream's model name, after the channel's mapping. */
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
  /** Returns the conversation in `body`. Only for `chat`. Parses at the first call. Throws REQUEST_MALFORMED. */
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
  /** Size in bytes. */
  readonly bytes: number
  /** Opens a new stream at each call, because the request may be sent several times. */
  open(): Readable
}

/** The HTTP request that the transport sends for a provider. */
export interface UpstreamRequest {
  /** An http(s) or ws(s) URL. For ws(s), `body` is the first text frame. */
  readonly url: string
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers: Record<string, string>
  /**
   * A function opens a new stream for each attempt. Then `headers` contains `content-length` if the length is known.
   */
  readonly body: Buffer | string | (() => Readable) | null
}

/** How an upstream's stream separates events. Each websocket frame counts as a line of `ndjson`. */
export type Framing = 'sse' | 'ndjson' | 'aws'

/** One exchange with an upstream: the request, and how to read the reply. */
export interface Plan {
  readonly request: UpstreamRequest
  /** Returns the request with a signature. Called after all other changes to the request. Absent = no signature. */
  readonly sign?: (request: UpstreamRequest) => Promise<UpstreamRequest>
  /** Framing of a streamed reply. The default is `sse`. A reply with a JSON content type is read as a whole. */
  readonly framing?: Framing
  /** Reads the reply of a `chat`. It has state, so each attempt needs a new one. */
  readonly reader?: ReplyReader
  /**
   * True if the reply is in the client's format. Then its bytes are forwarded, and `reader` only observes them.
   * Otherwise the reply is translated.
   */
  readonly native?: boolean
  /** Set if the request was not built from a conversation. Then no client field was omitted. */
  readonly isNotConversation?: true
  /**
   * True if only the reply is in the client's format. The request is not, because the upstream would reject the
   * client's body.
   */
  readonly isRequestAdapted?: boolean
  /** True if the native reply contains the upstream's model name. It must be replaced by the client's. */
  readonly renamesModel?: boolean
  /** True if the upstream always streams, even if the client requests no stream. Then `framing` is not `sse`. */
  readonly alwaysStreams?: boolean
  /**
   * The cached credential in the request. If `isRejectedBy` returns true, the gateway removes the credential from the
   * cache. It sends the request once more with a new one.
   */
  readonly credential?: { readonly key: string; isRejectedBy(failure: Failure): boolean }
  /** True if the reader also needs events whose payload is not JSON. */
  readonly readsNonJsonEvents?: boolean
  /**
   * Returns the final reply for a JSON reply that is not final, for example by polling a job. For operations other than
   * `chat`, also converts an error with status 200 to OpenAI's format.
   */
  readonly complete?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /**
   * Converts the upstream's JSON and usage to OpenAI's format, for operations other than `chat`. Absent = no
   * conversion.
   */
  readonly convert?: (body: Record<string, unknown>) => Record<string, unknown>
  /**
   * HTTP statuses by the vendor's error codes, for errors in replies with status 200. For operations other than `chat`.
   */
  readonly errorStatus?: Readonly<Record<string, number>>
  /**
   * True if the reply may be binary or plain text, such as audio, subtitles or images. Then its bytes are forwarded.
   */
  readonly bytes?: boolean
  /** Converts a binary reply, such as an image, to JSON in OpenAI's format. */
  readonly convertBytes?: (bytes: Buffer, contentType: string) => Record<string, unknown>
}

/** A reply event that carries text. */
export type TextEvent = Extract<ReplyEvent, { kind: 'text' | 'reasoning' }>

/** Reads one reply, whole or streamed. Ignores unknown fields and events. Missing usage is not an error. */
export interface ReplyReader {
  /** Returns the reply events of one stream event. */
  event(event: StreamEvent): ReplyEvent[]
  /**
   * Returns the reply events of a stream event that equals an earlier one except for its text. `event` is the only
   * reply event of the earlier one. If absent or undefined, the caller must parse the stream event.
   */
  repeatText?(event: TextEvent, text: string): ReplyEvent[] | undefined
  /**
   * Returns the events of a whole JSON reply, including `stop`, `usage` and `end`. For an error with status 200,
   * returns an `error` event.
   */
  whole(body: Record<string, unknown>): ReplyEvent[]
  /** Returns the remaining events after the end of the body. */
  close?(): ReplyEvent[]
}

/** Services and settings that a provider may need for its plan. All calls use the channel's proxy. */
export interface ProviderContext {
  /**
   * Sends a short request to the channel's own address, for example for a token, an upload or the state of a job. Resolves for
   * any HTTP status. Rejects if there is no response.
   */
  call(
    request: UpstreamRequest,
    options?: { timeoutMs?: number; bytesMax?: number },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>
  /**
   * Downloads a URL of the client's request or of an upstream's reply, from public addresses only. Detects `mime` from the bytes.
   * Throws MEDIA_REFUSED and MEDIA_UNAVAILABLE. `uses`: how many times the request contains the file.
   */
  media(url: string, uses?: number): Promise<{ data: Buffer; mime: string }>
  /**
   * Returns the credential from the cache. If it is not there, gets it from `ask`. Concurrent callers share one call of
   * `ask`.
   */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Removes a credential that the upstream rejected from the cache. */
  forgetCredential(key: string): void
  /** Cache of reasoning signatures by key, such as a call id. For clients that do not send signatures back. */
  readonly signatures: {
    get(callId: string): string | undefined
    set(callId: string, signature: string): void
    /** Loads signatures that other processes stored. Absent if there are no other processes. */
    load?(callIds: readonly string[]): Promise<void>
  }
  /** The operator's settings for all Gemini and Vertex AI channels, if they differ from the defaults. */
  readonly gemini?: GeminiSettings
  /** Waits this number of milliseconds. Rejects if the relay ends earlier. */
  sleep(ms: number): Promise<void>
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

/** The reason why an attempt failed, in OpenAI's format, and whether to retry. */
export interface Failure extends FailedAttempt {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
  /** Error details of Anthropic. Its clients use them to decide whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The upstream's request id, for questions to the upstream's support. */
  readonly upstreamRequestId?: string
}

/**
 * Translates to and from the format of one wire family. Does not retry, charge, log or choose channels. Makes calls
 * before the request only through `means`.
 */
export interface Provider {
  /**
   * Returns the exchange for a request. Throws REQUEST_MALFORMED if the upstream does not support the request,
   * OPERATION_UNSUPPORTED if it lacks the operation, and CHANNEL_MISCONFIGURED if the channel lacks a setting.
   */
  plan(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Plan | Promise<Plan>
  /** Converts an error response of the upstream. */
  failure(status: number, body: string, headers: IncomingHttpHeaders): Failure
  /**
   * Returns the tokens of a prompt, for upstreams that count free of charge. If absent or undefined, the gateway
   * counts.
   */
  countTokens?(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Promise<number | undefined>
}
