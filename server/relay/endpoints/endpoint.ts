import type { Price, Usage } from '../../../core/pricing/prices.ts'
import type { PromptContents } from '../counting/prompt.ts'
import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Json } from '../json.ts'
import type { Upload } from '../providers/provider.ts'

/** A request to an endpoint, which is any operation except conversations and realtime sessions. */
export interface EndpointAsk {
  /** The model name that the client requested. */
  readonly model: string
  /** The parsed JSON, or the text fields of a multipart request. */
  readonly body: Body
  readonly upload?: Upload | undefined
}

/** One OpenAI endpoint's rules for checks, prompt size and price. They are pure, and do not depend on the upstream. */
export interface Endpoint {
  /** The model of a request that names none. Absent if a request must name a model. */
  readonly defaultModel?: string
  /** Whether the body may be `multipart/form-data`. */
  readonly multipart: boolean
  /** Checks a request. Throws REQUEST_MALFORMED, whose message names the field. */
  check(ask: EndpointAsk): void
  /** Returns the contents of the prompt that affect its price. Returns a promise if a file must be read. */
  prompt(ask: EndpointAsk): PromptContents | Promise<PromptContents>
  /** Whether the client requests a stream. */
  streams(ask: EndpointAsk): boolean
  /** Returns the output tokens to hold, and to charge if the upstream reports no usage. */
  completionTokens(ask: EndpointAsk): number
  /** Returns the output tokens to hold, for upstreams that may report more than `completionTokens`. */
  outputToHold?(ask: EndpointAsk): number
  /** Returns the usage in a JSON reply or in one event of a stream, if any. In a stream, the last usage counts. */
  reported(reply: Json): Usage | undefined
  /** Returns the priced pieces (such as images) in a JSON reply, or undefined if the reply lists none. */
  pieces?(reply: Json): Pieces | undefined
  /** Returns the price and usage to charge. Without this method, the listed price and the reported usage apply. */
  sale?(listed: Price, ask: EndpointAsk, reply: Reported): Sale
}

/** The numbers of priced pieces in a reply. */
export interface Pieces {
  readonly made: number
  /** Number of pieces for which the reply has an error. */
  readonly failed: number
}

/** The usage and the pieces that a reply reports. Both are undefined before the reply arrives. */
export interface Reported {
  readonly reported?: Usage | undefined
  readonly pieces?: Pieces | undefined
}

/** The price and usage to charge for a request. */
export interface Sale {
  readonly price: Price
  /** Undefined to charge the locally counted prompt and `completionTokens`. */
  readonly usage: Usage | undefined
  /** Text that follows the price in the log row's content. */
  readonly text?: string
  /** Properties of the log row's `other`, in addition to the properties of the price. */
  readonly other?: Readonly<Record<string, number | string>>
}

/** Throws REQUEST_MALFORMED if a field is missing, null, an empty text or an empty list. */
export function requireField(body: Body, name: string): void {
  const value = body[name]
  const isEmptyList = Array.isArray(value) && value.length === 0
  if (value === undefined || value === null || value === '' || isEmptyList) refuse(`field ${name} is required`, name)
}

/** Throws REQUEST_MALFORMED if a field is present, and is not a text of at most `lengthMax` characters. */
export function allowText(body: Body, name: string, lengthMax = Number.POSITIVE_INFINITY): void {
  const value = body[name]
  if (value === undefined || value === null) return
  if (typeof value !== 'string') refuse(`${name} must be a text`, name)
  if (value.length > lengthMax) refuse(`${name} must not be longer than ${lengthMax} characters`, name)
}

/** Throws REQUEST_MALFORMED if `stream` is set and is not true or false. In a form, these are texts in any case. */
export function checkEndpointStream({ body, upload }: EndpointAsk): void {
  const { stream } = body
  const isValid =
    stream === undefined || stream === null || typeof stream === 'boolean' || (upload && isBooleanText(stream))
  if (!isValid) refuse('stream must be true or false', 'stream')
}

export function wantsStream({ body }: EndpointAsk): boolean {
  return body.stream === true || (typeof body.stream === 'string' && /^true$/i.test(body.stream))
}

function isBooleanText(value: unknown): boolean {
  return typeof value === 'string' && /^(true|false|)$/i.test(value)
}
