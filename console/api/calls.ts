import type { Calls } from './schema.d.ts'

/** Method and path of a call: `PUT /api/token/`. */
export type Name = keyof Calls

type Part<N extends Name, K extends string> = Calls[N] extends { [key in K]?: infer T } ? T : never

/** The `data` of the call's reply: `Data<'GET /api/token/page'>['items'][number]` is a token. */
export type Data<N extends Name> = Calls[N] extends { data: infer T } ? T : undefined
export type Body<N extends Name> = Part<N, 'body'>
export type Query<N extends Name> = NonNullable<Part<N, 'query'>>
/** The whole reply of a call that has fields beside `data`. */
export type FullReply<N extends Name> = Part<N, 'answer'>

/** Calls that reply with an envelope. */
export type EnvelopeName = { [N in Name]: Calls[N] extends { stream: unknown } ? never : N }[Name]
/** Calls whose reply has fields beside `data`. */
export type WholeName = { [N in Name]: Calls[N] extends { answer: object } ? N : never }[Name]
/** Calls whose reply is streamed: lines or events. */
export type StreamName = { [N in Name]: Calls[N] extends { stream: unknown } ? N : never }[Name]

/** Lets optional properties be undefined: the client sends neither. */
type OrUndefined<T> = T extends object
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T

type Described<N extends Name> = {
  [K in keyof Calls[N] as K extends 'path' | 'query' | 'header' | 'body' ? K : never]: OrUndefined<Calls[N][K]>
}

interface Always {
  signal?: AbortSignal | undefined
  /** Defaults to half a minute. */
  timeoutMs?: number | undefined
}

export type Options<N extends Name> = Described<N> & Always

/** The options argument; optional if no option is required. */
export type OptionsArgument<N extends Name> =
  Record<never, never> extends Options<N> ? [options?: Options<N>] : [options: Options<N>]

/** The relay has no body schemas: its clients send the upstream's format. */
export type StreamOptions<N extends StreamName> = Options<N> &
  (Calls[N] extends { body: unknown } ? unknown : { body?: object })
