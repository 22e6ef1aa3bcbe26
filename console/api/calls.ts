import type { Calls } from './schema.d.ts'

/** Method and path of a call: `PUT /api/token/`. */
export type Name = keyof Calls

type Part<N extends Name, K extends string> = Calls[N] extends { [key in K]?: infer T } ? T : never

/** What the call answers: `Data<'GET /api/token/page'>['items'][number]` is a token. */
export type Data<N extends Name> = Calls[N] extends { data: infer T } ? T : undefined
export type Body<N extends Name> = Part<N, 'body'>
export type Query<N extends Name> = NonNullable<Part<N, 'query'>>
/** The whole answer of a call that says something beside its data. */
export type Answer<N extends Name> = Part<N, 'answer'>

/** Calls whose answer is an envelope. */
export type EnvelopeName = { [N in Name]: Calls[N] extends { stream: unknown } ? never : N }[Name]
/** Calls whose answer has fields beside `data`. */
export type WholeName = { [N in Name]: Calls[N] extends { answer: object } ? N : never }[Name]
/** Calls whose answer is handed on as it comes: lines, or events. */
export type StreamName = { [N in Name]: Calls[N] extends { stream: unknown } ? N : never }[Name]

/** A value that is absent may as well be undefined: neither is sent. */
type OrUndefined<T> = T extends object
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T

type Described<N extends Name> = {
  [K in keyof Calls[N] as K extends 'path' | 'query' | 'header' | 'body' ? K : never]: OrUndefined<Calls[N][K]>
}

interface Always {
  signal?: AbortSignal | undefined
  /** Half a minute, unless this says otherwise. */
  timeoutMs?: number | undefined
}

export type Options<N extends Name> = Described<N> & Always

/** The options, left out at will where nothing in them is required. */
export type OptionsArgument<N extends Name> =
  Record<never, never> extends Options<N> ? [options?: Options<N>] : [options: Options<N>]

/** The relay describes no bodies: its clients send what the upstream understands. */
export type StreamOptions<N extends StreamName> = Options<N> &
  (Calls[N] extends { body: unknown } ? unknown : { body?: object })
