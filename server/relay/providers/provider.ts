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
  /** The client's bytes. Equal to `body` until a field changes. */
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
  /** All headers of the client, for a `header_override` that copies one. */
  readonly clientHeaders?: IncomingHttpHeaders
  /** Parses `body` at the first call; only for `chat`. Throws REQUEST_MALFORMED. */
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
  /** Opens a new stream each time, since an attempt may be repeated. */
  open(): Readable
}

/** The HTTP request that the transport sends for a provider. */
export interface UpstreamRequest {
  /** http(s), or ws(s) with `body` as the first text frame. */
  readonly url: string
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers: Record<string, string>
  /** A function opens a new stream for each attempt; if the length is known, `content-length` is among the headers. */
  readonly body: Buffer | string | (() => Readable) | null
}

/** How an upstream splits its stream into events. Each websocket frame is read as a line of `ndjson`. */
export type Framing = 'sse' | 'ndjson' | 'aws'

/** One exchange with an upstream: the request, and how to read the reply. */
export interface Plan {
  readonly request: UpstreamRequest
  /** Signs the final request, after every other change to it. Absent = no signature. */
  readonly sign?: (request: UpstreamRequest) => Promise<UpstreamRequest>
  /** Framing of a streamed reply; absent = `sse`. A reply of type JSON is always read as a whole. */
  readonly framing?: Framing
  /** Reads the reply of a `chat`. Stateful, so each attempt needs a new one. */
  readonly reader?: ReplyReader
  /**
   * The reply is in the client's format: its bytes are forwarded, and `reader` only observes them. Absent or false: the reply
   * is translated.
   */
  readonly native?: boolean
  /** The request is not a conversation, so no field was omitted. */
  readonly isNotConversation?: true
  /** The reply has the client's format, but the request does not: the upstream would not accept the client's body. */
  readonly isRequestAdapted?: boolean
  /** The native reply contains the upstream's model name, which must be replaced by the client's. */
  readonly renamesModel?: boolean
  /** The upstream only streams, in a framing other than `sse`. */
  readonly alwaysStreams?: boolean
  /** A cached credential: if `isRejectedBy` returns true, the cache drops it and the request is sent once more with a new one. */
  readonly credential?: { readonly key: string; isRejectedBy(failure: Failure): boolean }
  /** The reader also needs events whose payload is not JSON. */
  readonly readsNonJsonEvents?: boolean
  /**
   * Completes a native JSON reply that is not final, for example by polling a job. For operations other than `chat`, also
   * converts an error with status 200 to OpenAI's shape.
   */
  readonly complete?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** For operations other than `chat`: converts the upstream's JSON to OpenAI's shape, usage included. Absent = no conversion needed. */
  readonly convert?: (body: Record<string, unknown>) => Record<string, unknown>
  /** For operations other than `chat`: HTTP statuses by the vendor's error codes in replies with status 200. */
  readonly errorStatus?: Readonly<Record<string, number>>
  /** The reply may be binary or plain text (audio, subtitles, images): its bytes are forwarded. */
  readonly bytes?: boolean
  /** Converts a binary reply, such as an image, to OpenAI's JSON. */
  readonly convertBytes?: (bytes: Buffer, contentType: string) => Record<string, unknown>
}

/** A reply event that carries text. */
export type TextEvent = Extract<ReplyEvent, { kind: 'text' | 'reasoning' }>

/** Reads one reply, whole or streamed. Ignores unknown fields and events; missing usage is not an error. */
export interface ReplyReader {
  /** Returns the reply events of one stream event. */
  event(event: StreamEvent): ReplyEvent[]
  /**
   * Returns the events of a stream event that differs only in its text from an earlier one, which gave just `event`. Absent or
   * undefined: parse the event.
   */
  repeatText?(event: TextEvent, text: string): ReplyEvent[] | undefined
  /** Returns the events of a whole JSON reply, with `stop`, `usage` and `end`; for an error with status 200, one `error`. */
  whole(body: Record<string, unknown>): ReplyEvent[]
  /** Returns the remaining events when the body ends. */
  close?(): ReplyEvent[]
}

/** Calls that a provider may need for its plan. All use the channel's proxy. */
export interface ProviderContext {
  /** A short request: a token, an upload, the state of a job. Resolves for any status; rejects without a response. */
  call(
    request: UpstreamRequest,
    options?: { timeoutMs?: number; bytesMax?: number },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>
  /**
   * Downloads a URL of the client, from public addresses only; detects the type from the bytes. Throws MEDIA_REFUSED and
   * MEDIA_UNAVAILABLE. `uses`: how often the request contains the file.
   */
  media(url: string, uses?: number): Promise<{ data: Buffer; mime: string }>
  /** Returns a cached credential; concurrent callers share one call of `ask`. */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Drops a credential that the upstream rejected. */
  forgetCredential(key: string): void
  /** Signatures by call id, for clients that do not return them. */
  readonly signatures: {
    get(callId: string): string | undefined
    set(callId: string, signature: string): void
    /** Loads signatures that other processes stored. Absent: there are no other processes. */
    load?(callIds: readonly string[]): Promise<void>
  }
  /** The operator's settings for all Gemini and Vertex AI channels; absent = defaults. */
  readonly gemini?: GeminiSettings
  /** Waits; rejects when the relay ends. */
  sleep(ms: number): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Why an attempt failed, in the shape of OpenAI's errors, and whether to retry. */
export interface Failure extends FailedAttempt {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
  /** Anthropic's error details, which its clients use to decide whether to retry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The upstream's request id, for its support. */
  readonly upstreamRequestId?: string
}

/** Translates to and from one wire family. Does not retry, charge, log or choose channels; makes preparatory calls only by `means`. */
export interface Provider {
  /**
   * Throws REQUEST_MALFORMED if this upstream does not support the request, CHANNEL_MISCONFIGURED if the channel lacks a
   * setting, OPERATION_UNSUPPORTED.
   */
  plan(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Plan | Promise<Plan>
  failure(status: number, body: string, headers: IncomingHttpHeaders): Failure
  /** Returns the prompt's tokens from an upstream that counts free of charge. Absent or undefined: the gateway counts. */
  countTokens?(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Promise<number | undefined>
}
