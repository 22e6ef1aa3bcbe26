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

/** Names of calls whose reply has `data`. */
export type DataName = { [N in Name]: Calls[N] extends { data: unknown } ? N : never }[Name]
/** Names of calls that reply with the envelope `{success, message, data}`. */
export type EnvelopeName = { [N in Name]: Calls[N] extends { stream: unknown } ? never : N }[Name]
/** Names of calls whose reply has fields beside `data`. */
export type WholeName = { [N in Name]: Calls[N] extends { answer: object } ? N : never }[Name]
/** Names of calls whose reply is streamed, as lines or events. */
export type StreamName = { [N in Name]: Calls[N] extends { stream: unknown } ? N : never }[Name]

/** Also allows read-only lists, undefined for optional properties, and `Absent` for those of the outer object. */
type Sent<T, Absent = never> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { [K in keyof T]: Sent<T[K]> | (Record<never, never> extends Pick<T, K> ? Absent | undefined : never) }
    : T

/**
 * What a call takes. The clients do not send undefined values, and the server treats null in the body as absent. The
 * console and the CLI send headers differently.
 */
export type Inputs<N extends Name, Places extends 'path' | 'query' | 'header' | 'body'> = {
  [K in keyof Calls[N] as K extends Places ? K : never]: Sent<Calls[N][K], K extends 'body' ? null : never>
}

/** The options argument of a call, which can be omitted if no option is required. */
export type OptionalArgument<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options]
