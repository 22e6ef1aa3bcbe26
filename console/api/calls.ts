import type { Inputs, Name, OptionalArgument, StreamName } from '../../core/api/calls.ts'
import type { Calls } from '../../core/api/schema.d.ts'

export type {
  Data,
  EnvelopeName,
  FullReply,
  Name,
  Query,
  RequestBody,
  StreamName,
  WholeName,
} from '../../core/api/calls.ts'

interface CommonOptions {
  signal?: AbortSignal | undefined
  /** Time limit for the whole reply. Default 30 seconds. */
  timeoutMs?: number | undefined
}

export type ApiCallOptions<N extends Name> = Inputs<N, 'path' | 'query' | 'header' | 'body'> & CommonOptions

/** The options argument of `call`, which can be omitted if no option is required. */
export type OptionsArgument<N extends Name> = OptionalArgument<ApiCallOptions<N>>

/** Options of streamed calls. Relay calls have no body schema, because the body depends on the client's dialect. */
export type StreamOptions<N extends StreamName> = ApiCallOptions<N> &
  (Calls[N] extends { body: unknown } ? unknown : { body?: object })
