import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { Operation } from '../operations.ts'

/** A client's request as a provider sees it: the bytes, and what they parse to. */
export interface RelayRequest {
  readonly operation: Operation
  readonly raw: Buffer
  readonly body: Readonly<Record<string, unknown>>
  /** The upstream's name of the model, after the channel's mapping. */
  readonly model: string
  readonly stream: boolean
  /** Query string of the client, without `?`. */
  readonly query: string
  /** Client headers that an upstream may see. */
  readonly headers: Readonly<Record<string, string>>
}

/** What to send; sending is not the provider's job. */
export interface UpstreamRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer | string
}

/** Why an attempt failed, in the shape of OpenAI's errors, with what may be done about it. */
export interface Failure {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly retry: 'never' | 'other-channel'
}

/** Translates toward one wire family. It does not send, retry, charge, log or choose. */
export interface Provider {
  request(request: RelayRequest, channel: LiveChannel): UpstreamRequest
  failure(status: number, body: string): Failure
  /** Whether replies name the upstream's model where the client should read the one it asked for. */
  readonly renamesModel: boolean
}
