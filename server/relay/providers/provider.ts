import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FailedAttempt } from '../../../core/channels/health/classify-failure.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { Body } from '../dialects/dialect.ts'
import type { StreamEvent } from '../transport/events.ts'
import type { GeminiSettings } from './gemini/settings.ts'

/** A client's request as a provider sees it. */
export interface ProviderRequest {
  readonly operation: Operation
  /** The format of the request; for operations other than `chat`, OpenAI's. */
  readonly dialect: DialectName
  /** The client's bytes, from which `body` was parsed. */
  readonly raw: Buffer
  /** The parsed body; for a multipart request, its fields without the files. */
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
  /** All headers of the client, for a `header_override` that copies a client header. */
  readonly clientHeaders?: IncomingHttpHeaders
  /** Returns the parsed `body`, only for `chat`. Parses at the first call. Throws REQUEST_MALFORMED. */
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
  /** Opens a new stream at each call, because an attempt may be repeated. */
  open(): Readable
}

/** The HTTP request that the transport sends for a provider. */
export interface UpstreamRequest {
  /** An http(s) URL, or a ws(s) URL, for which `body` is the first text frame. */
  readonly url: string
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers: Record<string, string>
  /** A function opens a new stream for each attempt. If the length is known, `headers` contains `content-length`. */
  readonly body: Buffer | string | (() => Readable) | null
}

/** The format in which an upstream's stream contains events. Each websocket frame is read as a line of `ndjson`. */
export type Framing = 'sse' | 'ndjson' | 'aws'

/** One exchange with an upstream: the request, and how to read the reply. */
export interface Plan {
  readonly request: UpstreamRequest
  /** Returns the request with a signature. Runs after all other changes to the request. Absent = no signature. */
  readonly sign?: (request: UpstreamRequest) => Promise<UpstreamRequest>
  /** Framing of a streamed reply; absent = `sse`. A reply with a JSON content type is read as a whole. */
  readonly framing?: Framing
  /** Reads the reply of a `chat`. Stateful, so each attempt needs a new one. */
  readonly reader?: ReplyReader
  /**
   * true: the reply is in the client's format, so its bytes are forwarded, and `reader` only observes them. Absent or false:
   * the reply is translated.
   */
  readonly native?: boolean
  /** true: the request was not built from a conversation, so no field was omitted. */
  readonly isNotConversation?: true
  /** true: only the reply has the client's format. The request has another, because the upstream rejects the client's body. */
  readonly isRequestAdapted?: boolean
  /** true: the native reply contains the upstream's model name, which must be replaced by the client's. */
  readonly renamesModel?: boolean
  /** true: the upstream always streams, even if the client requests no stream. `framing` is then not `sse`. */
  readonly alwaysStreams?: boolean
  /**
   * The cached credential of the request. If `isRejectedBy` returns true, the gateway drops the credential from the cache, and
   * sends the request once more with a new one.
   */
  readonly credential?: { readonly key: string; isRejectedBy(failure: Failure): boolean }
  /** true: the reader also needs events whose payload is not JSON. */
  readonly readsNonJsonEvents?: boolean
  /**
   * Returns the final reply for a native JSON reply that is not final, for example by polling a job. For operations other than
   * `chat`, also converts an error with status 200 to OpenAI's shape.
   */
  readonly complete?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** For operations other than `chat`: converts the upstream's JSON and usage to OpenAI's shape. Absent = no conversion. */
  readonly convert?: (body: Record<string, unknown>) => Record<string, unknown>
  /** For operations other than `chat`: HTTP statuses by the vendor's error codes, for errors in replies with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** true: the reply may be binary or plain text (audio, subtitles, images), so its bytes are forwarded. */
  readonly bytes?: boolean
  /** Converts a binary reply, such as an image, to OpenAI's JSON. */
  readonly convertBytes?: (bytes: Buffer, contentType: string) => Record<string, unknown>
}

/** A reply event that carries text. */
export type TextEvent = Extract<ReplyEvent, { kind: 'text' | 'reasoning' }>

/** Reads one reply, whole or streamed. Ignores unknown fields and events. Missing usage is not an error. */
export interface ReplyReader {
  /** Returns the reply events of one stream event. */
  event(event: StreamEvent): ReplyEvent[]
  /**
   * Returns the reply events of a stream event that equals an earlier stream event except for its text. `event`: the only reply
   * event of that earlier stream event. Absent or undefined = the caller must parse the stream event.
   */
  repeatText?(event: TextEvent, text: string): ReplyEvent[] | undefined
  /** Returns the events of a whole JSON reply, with `stop`, `usage` and `end`; for an error with status 200, an `error` event. */
  whole(body: Record<string, unknown>): ReplyEvent[]
  /** Returns the remaining events when the body ends. */
  close?(): ReplyEvent[]
}

/** Calls and settings that a provider may need for its plan. All calls use the channel's proxy. */
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
  /** Returns the credential from the cache, or from `ask`. Concurrent callers share one call of `ask`. */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Removes a credential from the cache, because the upstream rejected it. */
  forgetCredential(key: string): void
  /** Cache of reasoning signatures by key, such as a call id, for clients that do not send them back. */
  readonly signatures: {
    get(callId: string): string | undefined
    set(callId: string, signature: string): void
    /** Loads signatures that other processes stored. Absent = no other processes. */
    load?(callIds: readonly string[]): Promise<void>
  }
  /** The operator's settings for all Gemini and Vertex AI channels; absent = defaults. */
  readonly gemini?: GeminiSettings
  /** Waits this number of milliseconds. Rejects if the relay ends before. */
  sleep(ms: number): Promise<void>
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

/** The reason why an attempt failed, in the shape of OpenAI's errors, and whether to retry. */
export interface Failure extends FailedAttempt {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
  /** Anthropic's error details, which its clients use to decide whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The upstream's request id, for questions to the upstream's support. */
  readonly upstreamRequestId?: string
}

/**
 * Translates to and from one wire family. Does not retry, charge, log or choose channels. Makes calls before the request only
 * through `means`.
 */
export interface Provider {
  /**
   * Returns the exchange for this request. Throws REQUEST_MALFORMED if this upstream does not support the request,
   * CHANNEL_MISCONFIGURED if the channel lacks a setting, and OPERATION_UNSUPPORTED if this upstream lacks the operation.
   */
  plan(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Plan | Promise<Plan>
  /** Converts an error response of the upstream. */
  failure(status: number, body: string, headers: IncomingHttpHeaders): Failure
  /** Returns the prompt's tokens from an upstream that counts free of charge. Absent or undefined = the gateway counts. */
  countTokens?(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Promise<number | undefined>
}
