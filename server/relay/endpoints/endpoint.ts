import type { Price, Usage } from '../../../core/pricing/prices.ts'
import type { PromptSize } from '../counting/prompt.ts'
import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Json } from '../json.ts'
import type { Upload } from '../providers/provider.ts'

/** A request to an endpoint other than conversations. */
export interface EndpointAsk {
  /** The model name that the client requested. */
  readonly model: string
  /** The parsed JSON, or the text fields of a multipart request. */
  readonly body: Body
  readonly upload?: Upload | undefined
}

/** One of OpenAI's endpoints other than conversations, without its upstream. All functions are pure. */
export interface Endpoint {
  /** The default model; absent = the request must name one. */
  readonly defaultModel?: string
  /** Whether the body may be `multipart/form-data`. */
  readonly multipart: boolean
  /** Throws REQUEST_MALFORMED naming the field. */
  check(ask: EndpointAsk): void
  /** Returns the priced parts of the prompt; a promise if a file must be read. */
  prompt(ask: EndpointAsk): PromptSize | Promise<PromptSize>
  /** Whether the reply is a stream of events. */
  streams(ask: EndpointAsk): boolean
  /** Returns the output tokens to hold besides the prompt. */
  completionTokens(ask: EndpointAsk): number
  /** Returns the output tokens that an upstream may report, if they exceed the charge without a report. */
  outputToHold?(ask: EndpointAsk): number
  /** Returns the usage in a JSON reply, or in one event of a stream; undefined if there is none. The last report counts. */
  reported(reply: Json): Usage | undefined
  /** Returns the priced pieces in a JSON reply; undefined if unknown. */
  pieces?(reply: Json): Pieces | undefined
  /** Returns the price and usage of this request, if it is not priced by tokens at the listed price. */
  sale?(listed: Price, ask: EndpointAsk, reply: Reported): Sale
}

/** The priced pieces of a reply. */
export interface Pieces {
  readonly made: number
  /** Pieces with an error in their place. */
  readonly failed: number
}

/** The reported data of a reply; all undefined before the reply. */
export interface Reported {
  readonly reported?: Usage | undefined
  readonly pieces?: Pieces | undefined
}

/** The price and usage of a request. */
export interface Sale {
  readonly price: Price
  /** Undefined: count the prompt, and charge the held output. */
  readonly usage: Usage | undefined
  /** Follows the price in the log row's content. */
  readonly text?: string
  /** Keys of the log row's `other` besides the price's. */
  readonly other?: Readonly<Record<string, number | string>>
}

/** Rejects a missing field, or an empty text or list. */
export function requireField(body: Body, name: string): void {
  const value = body[name]
  const empty = Array.isArray(value) && value.length === 0
  if (value === undefined || value === null || value === '' || empty) refuse(`field ${name} is required`, name)
}

/** Rejects a field that is not a text, or longer than `lengthMax`; the field may be missing. */
export function allowText(body: Body, name: string, lengthMax = Number.POSITIVE_INFINITY): void {
  const value = body[name]
  if (value === undefined || value === null) return
  if (typeof value !== 'string') refuse(`${name} must be a text`, name)
  if (value.length > lengthMax) refuse(`${name} must not be longer than ${lengthMax} characters`, name)
}

/** Rejects a `stream` other than true or false; in a form both are texts. */
export function checkStream({ body, upload }: EndpointAsk): void {
  const { stream } = body
  const valid = stream === undefined || stream === null || typeof stream === 'boolean' || (upload && isSwitch(stream))
  if (!valid) refuse('stream must be true or false', 'stream')
}

export function wantsStream({ body }: EndpointAsk): boolean {
  return body.stream === true || (typeof body.stream === 'string' && /^true$/i.test(body.stream))
}

function isSwitch(value: unknown): boolean {
  return typeof value === 'string' && /^(true|false|)$/i.test(value)
}
