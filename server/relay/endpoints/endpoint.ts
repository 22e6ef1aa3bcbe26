import { GatewayError } from '../../../core/errors.ts'
import type { Price, Usage } from '../../../core/pricing/prices.ts'
import type { PromptSize } from '../counting/prompt.ts'
import type { Body } from '../dialects/dialect.ts'
import type { Json } from '../json.ts'
import type { Upload } from '../providers/provider.ts'

/** A request to an endpoint that is no conversation. */
export interface EndpointAsk {
  /** The name that the client asked for. */
  readonly model: string
  /** The parsed JSON; of a multipart request its fields, which are texts. */
  readonly body: Body
  readonly upload?: Upload | undefined
}

/** One of OpenAI's endpoints beside conversations, as far as it can be told without an upstream. All functions are pure. */
export interface Endpoint {
  /** The model of a request that names none; absent = one must be named. */
  readonly defaultModel?: string
  /** The body may be `multipart/form-data`. */
  readonly multipart: boolean
  /** Throws REQUEST_MALFORMED naming the field. */
  check(ask: EndpointAsk): void
  /** The prompt, as far as its price goes. A promise where a file must be read. */
  prompt(ask: EndpointAsk): PromptSize | Promise<PromptSize>
  /** Whether the reply comes as events. */
  streams(ask: EndpointAsk): boolean
  /** Output tokens to set aside beside the prompt. */
  completionTokens(ask: EndpointAsk): number
  /** Output tokens that an upstream may report, if they are more than what is charged without a report. */
  outputToHold?(ask: EndpointAsk): number
  /** The usage in a JSON reply, or in one event of a stream; undefined = it has none. What is reported last counts. */
  reported(reply: Json): Usage | undefined
  /** How many pieces a JSON reply brings, where they are sold; undefined = it does not tell. */
  made?(reply: Json): number | undefined
  /** How this request is sold, where that is not by tokens at the price of the list. */
  sale?(listed: Price, ask: EndpointAsk, reply: Reported): Sale
}

/** What a reply told; nothing of it is known before there is one. */
export interface Reported {
  readonly reported?: Usage | undefined
  readonly made?: number | undefined
}

/** What a request is sold at. */
export interface Sale {
  readonly price: Price
  /** Undefined: the prompt is to be counted, and what was set aside for the output was used. */
  readonly usage: Usage | undefined
  /** Follows the price in the log row's content. */
  readonly text?: string
  /** Keys of the log row's `other` besides those of the price. */
  readonly other?: Readonly<Record<string, number | string>>
}

/** Throws REQUEST_MALFORMED. */
export function refuse(reason: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason })
}

/** Refuses a field that is not there, or is an empty text or list. */
export function requireField(body: Body, name: string): void {
  const value = body[name]
  const empty = Array.isArray(value) && value.length === 0
  if (value === undefined || value === null || value === '' || empty) refuse(`field ${name} is required`)
}

/** Refuses a field that is there and no text, or one longer than `lengthMax`. */
export function allowText(body: Body, name: string, lengthMax = Number.POSITIVE_INFINITY): void {
  const value = body[name]
  if (value === undefined || value === null) return
  if (typeof value !== 'string') refuse(`${name} must be a text`)
  if (value.length > lengthMax) refuse(`${name} must not be longer than ${lengthMax} characters`)
}

/** Refuses a `stream` that is neither true nor false; in a form both are texts. */
export function checkStream({ body, upload }: EndpointAsk): void {
  const { stream } = body
  const valid = stream === undefined || stream === null || typeof stream === 'boolean' || (upload && isSwitch(stream))
  if (!valid) refuse('stream must be true or false')
}

export function wantsStream({ body }: EndpointAsk): boolean {
  return body.stream === true || (typeof body.stream === 'string' && /^true$/i.test(body.stream))
}

function isSwitch(value: unknown): boolean {
  return typeof value === 'string' && /^(true|false|)$/i.test(value)
}
