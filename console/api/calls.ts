import type { Calls } from './schema.d.ts'

/** Method and path of a call: `PUT /api/token/`. */
export type Name = keyof Calls

type Part<N extends Name, K extends string> = Calls[N] extends { [key in K]?: infer T } ? T : never

/** The `data` of the call's reply: `Data<'GET /api/token/page'>['items'][number]` is a token. */
export type Data<N extends Name> = Calls[N] extends { data: infer T } ? T : undefined
export type RequestBody<N extends Name> = Part<N, 'body'>
export type Query<N extends Name> = NonNullable<Part<N, 'query'>>
/** The whole reply of a call whose reply has fields beside `data`. */
export type FullReply<N extends Name> = Part<N, 'answer'>

/** Names of calls that reply with the envelope `{success, message, data}`. */
export type EnvelopeName = { [N in Name]: Calls[N] extends { stream: unknown } ? never : N }[Name]
/** Names of calls whose reply has fields beside `data`. */
export type WholeName = { [N in Name]: Calls[N] extends { answer: object } ? N : never }[Name]
/** Names of calls whose reply is streamed, as lines or events. */
export type StreamName = { [N in Name]: Calls[N] extends { stream: unknown } ? N : never }[Name]

/** Allows `undefined` for optional properties. The client does not send undefined properties. */
type OrUndefined<T> = T extends object
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T

type DescribedOptions<N extends Name> = {
  [K in keyof Calls[N] as K extends 'path' | 'query' | 'header' | 'body' ? K : never]: OrUndefined<Calls[N][K]>
}

interface CommonOptions {
  signal?: AbortSignal | undefined
  /** Time limit for the whole reply. Default 30 seconds. */
  timeoutMs?: number | undefined
}

export type ApiCallOptions<N extends Name> = DescribedOptions<N> & CommonOptions

/** The options argument of `call`, which can be omitted if no option is required. */
export type OptionsArgument<N extends Name> =
  Record<never, never> extends ApiCallOptions<N> ? [options?: ApiCallOptions<N>] : [options: ApiCallOptions<N>]

/** Options of streamed calls. Relay calls have no body schema, because the body depends on the client's dialect. */
export type StreamOptions<N extends StreamName> = ApiCallOptions<N> &
  (Calls[N] extends { body: unknown } ? unknown : { body?: object })
