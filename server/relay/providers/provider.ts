import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { FailedAttempt } from '../../../core/channels/health/evidence.ts'
import type { DialectName, Operation } from '../../../core/channels/operations.ts'
import type { Conversation, ReplyEvent } from '../conversation/conversation.ts'
import type { Body } from '../dialects/dialect.ts'
import type { StreamEvent } from '../transport/events.ts'
import type { GeminiSettings } from './gemini/settings.ts'

/** A client's request as a provider sees it. */
export interface Ask {
  readonly operation: Operation
  /** The format it is in; for operations other than `chat`, OpenAI's. */
  readonly dialect: DialectName
  /** The client's bytes: they stand for `body` as long as nothing in it changes. */
  readonly raw: Buffer
  /** The parsed body. Of a multipart request: its fields, without the files. */
  readonly body: Body
  /** The upstream's name of the model, after the channel's mapping. */
  readonly model: string
  /** The name that the client asked for. */
  readonly requestedModel: string
  readonly stream: boolean
  /** Query string of the client, without `?`. */
  readonly query: string
  /** Client headers that an upstream may see. */
  readonly headers: Readonly<Record<string, string>>
  /** All that the client sent, for channels whose `header_override` repeats one. */
  readonly clientHeaders?: IncomingHttpHeaders
  /** `body`, understood; only for `chat`. Parsed at the first call. Throws REQUEST_MALFORMED. */
  conversation(): Conversation
  /** The files of a multipart request, spooled. */
  readonly upload?: Upload
}

/** A multipart body that waits on disk. */
export interface Upload {
  readonly files: readonly UploadedFile[]
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}
export interface UploadedFile {
  readonly field: string
  readonly filename: string
  readonly mime: string
  readonly bytes: number
  /** A new stream of its content each time: an attempt may be repeated. */
  open(): Readable
}

/** What to send; sending is not the provider's job. */
export interface UpstreamRequest {
  /** http(s), or ws(s): then `body` is the first text frame. */
  readonly url: string
  /** POST unless said. */
  readonly method?: 'GET' | 'POST'
  readonly headers: Record<string, string>
  /** A function makes the stream anew for each attempt; `content-length` is then among the headers, if it is known. */
  readonly body: Buffer | string | (() => Readable) | null
}

/** How an upstream cuts its stream into events. Frames of a websocket are lines of `ndjson`. */
export type Framing = 'sse' | 'ndjson' | 'aws'

/** One exchange with an upstream: what to send, and how to read what comes back. */
export interface Plan {
  readonly request: UpstreamRequest
  /**
   * Of a request that must prove its bytes: adds the proof, after everything else that changes them. Absent = nothing is
   * signed.
   */
  readonly sign?: (request: UpstreamRequest) => Promise<UpstreamRequest>
  /** Of a streamed reply; absent = `sse`. A reply that says it is JSON is read as a whole whatever stands here. */
  readonly framing?: Framing
  /** For `chat`: reads replies. A new one for each attempt, since it keeps state. */
  readonly reader?: ReplyReader
  /**
   * The reply is in the client's own format: its bytes go to the client, and `reader` only watches. Absent or false: the
   * reply is translated.
   */
  readonly native?: boolean
  /** The reply is the client's, but not the request: the client's own body would not be understood as it is. */
  readonly adapted?: boolean
  /** Of a native reply: it names the upstream's model where the client should read the one it asked for. */
  readonly renamesModel?: boolean
  /** The upstream knows nothing but streams, in a framing other than `sse`. */
  readonly alwaysStreams?: boolean
  /** A credential out of the cache: when the upstream refuses it, it is forgotten, and asked for once more. */
  readonly credential?: { readonly key: string; refused(failure: Failure): boolean }
  /** Events whose payload is no JSON are for the reader too. */
  readonly plainText?: boolean
  /**
   * For a native JSON reply that is not whole yet, such as a job: asks on until it is. For operations other than `chat`, an
   * error that the vendor tells with status 200 is put into OpenAI's shape here.
   */
  readonly follow?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** For operations other than `chat`: the upstream's JSON in OpenAI's shape, usage included. Absent = it has it already. */
  readonly convert?: (body: Record<string, unknown>) => Record<string, unknown>
  /** The reply is not JSON, or need not be: audio, subtitles, pictures. Its bytes pass. */
  readonly bytes?: boolean
  /** Puts a reply of bytes into OpenAI's JSON: a binary picture, for one. */
  readonly convertBytes?: (bytes: Buffer, contentType: string) => Record<string, unknown>
}

/** A step that says text. */
export type TextStep = Extract<ReplyEvent, { kind: 'text' | 'reasoning' }>

/** Reads one reply, whole or in pieces. Lenient: what it does not know passes by; a missing usage is no error. */
export interface ReplyReader {
  /** The steps that one event of a stream stands for. */
  event(event: StreamEvent): ReplyEvent[]
  /** The steps of an event that differs in its text alone from one with this single step. Absent, or undefined: it must be read. */
  again?(step: TextStep, text: string): ReplyEvent[] | undefined
  /** The steps of a whole JSON reply, with `stop`, `usage` and `end`. An error with status 200 is one `error`. */
  whole(body: Record<string, unknown>): ReplyEvent[]
  /** What is left to say when the body ends. */
  close?(): ReplyEvent[]
}

/** What a provider may need before it knows what to send. All of it goes through the channel's proxy. */
export interface Means {
  /** A short exchange: a token, an upload, a look at a job. Rejects when there is no answer; a status is no error. */
  call(
    request: UpstreamRequest,
    options?: { timeoutMs?: number; bytesMax?: number },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>
  /**
   * Downloads what a client has named, from public addresses only; the type is told by the bytes. Throws MEDIA_REFUSED and
   * MEDIA_UNAVAILABLE. `uses`: how often the request will have it.
   */
  media(url: string, uses?: number): Promise<{ data: Buffer; mime: string }>
  /** A credential that lives for a while, asked for once however many need it. */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Forgets a credential that the upstream refused. */
  forgetCredential(key: string): void
  /** Signatures by call id, for clients that do not send them back. */
  readonly signatures: {
    get(callId: string): string | undefined
    set(callId: string, signature: string): void
    /** Looks for those that another process has set. Absent: there is no other. */
    load?(callIds: readonly string[]): Promise<void>
  }
  /** What the operator set for all channels of Gemini and Vertex AI; absent = the defaults. */
  readonly gemini?: GeminiSettings
  /** Waits; rejects when the relay ends. */
  sleep(ms: number): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Why an attempt failed, in the shape of OpenAI's errors, with what may be done about it. */
export interface Failure extends FailedAttempt {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
  /** What Anthropic's clients read to decide how to go on. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The upstream's id of the request, for its support. */
  readonly upstreamRequestId?: string
}

/** Translates toward one wire family. It does not retry, charge, log or choose; what it needs sent beforehand it asks `means` for. */
export interface Provider {
  /**
   * Throws REQUEST_MALFORMED for what this upstream cannot be asked, CHANNEL_MISCONFIGURED for a channel that lacks
   * something, OPERATION_UNSUPPORTED.
   */
  plan(ask: Ask, channel: LiveChannel, means: Means): Plan | Promise<Plan>
  failure(status: number, body: string, headers: IncomingHttpHeaders): Failure
  /** The tokens of a prompt, asked of an upstream that counts for nothing. Absent, or undefined: we count ourselves. */
  countTokens?(ask: Ask, channel: LiveChannel, means: Means): Promise<number | undefined>
}
