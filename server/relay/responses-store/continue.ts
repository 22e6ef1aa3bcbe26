import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { channelWithKey } from '../../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory } from '../../../core/channels/routing/directory.ts'
import { candidatesOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { isRecord } from '../../../core/records.ts'
import type { ObjectPlace } from '../../../core/stored-objects.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { keysOf } from '../../bodies/json-scan.ts'
import { groupOf } from '../admission/admission.ts'
import type { Caller } from '../admission/authenticate.ts'
import { channelsFor } from '../admission/channels-for.ts'
import { refuse } from '../dialects/refuse.ts'
import { dialectsOf, OMITTED_HEADER, omittedValue } from '../hosted/omitted.ts'
import { REFERENCES_MAX } from '../hosted/references.ts'
import type { InnerCalls } from '../inner-calls.ts'
import { type Json, textOf } from '../json.ts'
import { type BackgroundResponses, conversationOf } from './background.ts'
import { type Context, contextOf, type Pointers } from './context.ts'
import { type Continued, ownerOf, ResponseKeeper } from './keeper.ts'
import { itemsOfInput, referredId } from './replay.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Stores the response to a request in the Responses format. Null in other formats. */
    responseKeeper: ResponseKeeper | null
  }
}

export interface ContinueParts {
  readonly toolkit: LocalToolkit
  readonly directory: ChannelDirectory
  readonly logger: Logger
  readonly calls: InnerCalls
  readonly background: BackgroundResponses
}

/**
 * Every body that continues stored content or starts a background response contains one of these texts. Other bodies
 * need not be parsed.
 *
 * `"id"` is necessary, because an item that refers to another item may have only an id.
 */
const MARKS = ['previous_response_id', '"id"', '"conversation"', '"background"'].map((text) => Buffer.from(text))

/**
 * Prepares a Responses request that continues stored content. Returns the reply if the request starts a background
 * response. Throws like `contextOf` and `BackgroundResponses.begin`, and RESPONSES_NOT_STORED.
 *
 * Inserts the stored context before the input, unless the upstream that has the context can serve the request.
 */
export async function continueStored(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ContinueParts,
): Promise<Json | undefined> {
  const { toolkit, calls, background } = parts
  const isInner = calls.isInner(reply)
  const caller = request.caller as Caller
  const raw = request.body
  const { storesResponses } = caller.token
  const canUseStored = storesResponses && toolkit.responses.isOn()
  const mayUseStored = mayContinue(raw)
  // Later code rejects a body that is not valid JSON.
  const body = mayUseStored || !storesResponses ? parseObject(String(raw)) : undefined
  if (body?.background === true && !isInner) {
    if (!canUseStored) throw new GatewayError('RESPONSES_NOT_STORED', { field: 'background' })
    return background.begin(request, body)
  }
  const prepared = body && canUseStored && mayUseStored ? await prepare(body, caller, parts) : undefined
  // Report content that was not stored, because the model replies without it.
  if (prepared?.omitted.length) reply.raw.setHeader(OMITTED_HEADER, omittedValue(prepared.omitted))
  const bodyToSend = storesResponses ? prepared?.body : withoutStorage(prepared?.body ?? body)
  if (bodyToSend && bodyToSend !== body) replaceBody(request, bodyToSend)
  request.responseKeeper = new ResponseKeeper(parts, caller, { continued: prepared?.continued, isInner })
  return undefined
}

/**
 * Inserts the stored context into a request that only counts tokens. Throws like `contextOf`, and REQUEST_MALFORMED.
 */
export async function expandStored(request: FastifyRequest, toolkit: LocalToolkit): Promise<void> {
  const caller = request.caller as Caller
  if (!caller.token.storesResponses || !toolkit.responses.isOn() || !mayContinue(request.body)) return
  const body = parseObject(String(request.body))
  const pointers = body && pointersOf(body)
  const context = pointers && (await contextOf(toolkit, ownerOf(caller), pointers))
  if (context) replaceBody(request, withContext(body, context))
}

const mayContinue = (raw: unknown): boolean => Buffer.isBuffer(raw) && MARKS.some((mark) => raw.includes(mark))

function replaceBody(request: FastifyRequest, body: Json): void {
  const bytes = Buffer.from(JSON.stringify(body))
  request.body = bytes
  request.bodyKeys = keysOf(bytes)
}

/** Sets `store` to false, so that the upstream does not store the response. */
function withoutStorage(body: Json | undefined): Json | undefined {
  return body && body.store !== false ? { ...body, store: false } : body
}

interface Prepared {
  /** The body for the upstream. Undefined if the client's body needs no change. */
  readonly body: Json | undefined
  readonly continued: Continued
  /** Names of earlier content that was too large to be stored. */
  readonly omitted: readonly string[]
}

async function prepare(body: Json, caller: Caller, parts: ContinueParts): Promise<Prepared | undefined> {
  const { toolkit } = parts
  const pointers = pointersOf(body)
  if (!pointers) return undefined
  const context = await contextOf(toolkit, ownerOf(caller), pointers)
  // If the gateway does not have the context, an upstream may have it.
  if (!context) return undefined
  const { previousId } = pointers
  const continued = { previousId, conversationId: conversationOf(body), input: body.input, rows: context.rows }
  if (context.place && canServe(context.place, { body, caller, ...parts })) {
    return { body: undefined, continued: { ...continued, isExpanded: false }, omitted: [] }
  }
  const { omitted } = context
  return { body: withContext(body, context), continued: { ...continued, isExpanded: true }, omitted }
}

/** Returns the pointers in a request, or undefined if it has too many references. Throws REQUEST_MALFORMED. */
function pointersOf(body: Json): Pointers | undefined {
  const previousId = textOf(body.previous_response_id)
  const conversationId = conversationOf(body)
  if (previousId !== undefined && conversationId !== undefined) {
    refuse('previous_response_id and conversation exclude each other: send one of them', 'conversation')
  }
  const ids = [...new Set(itemsOfInput(body.input).flatMap((item) => referredId(item) ?? []))]
  if (ids.length > REFERENCES_MAX) return undefined
  const isAtGateway = conversationId === undefined || isOwnConversation(conversationId)
  return { previousId, conversationId: isAtGateway ? conversationId : undefined, ids }
}

/** Returns the body with the whole context in its input. */
function withContext(body: Json, { items, referred }: Context): Json {
  const { previous_response_id: _, conversation: __, ...rest } = body
  const newItems = Array.isArray(body.input)
    ? body.input.flatMap((item: unknown): readonly unknown[] => {
        const id = isRecord(item) ? referredId(item) : undefined
        return (id === undefined ? undefined : referred.get(id)) ?? [item]
      })
    : itemsOfInput(body.input)
  return { ...rest, input: [...items, ...newItems] }
}

const GATEWAY_CONVERSATION_ID = /^conv_[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/
/** Whether the gateway created a conversation. If not, an upstream has created it. */
const isOwnConversation = (id: string): boolean => GATEWAY_CONVERSATION_ID.test(id)

/**
 * Whether the upstream account that has the context may serve a request. Also true for requests that
 * later code rejects.
 */
function canServe(
  place: ObjectPlace,
  { body, caller, toolkit, directory }: { body: Json; caller: Caller } & ContinueParts,
): boolean {
  const model = textOf(body.model)
  // Later code rejects a request without a model.
  if (model === undefined) return true
  try {
    const group = groupOf(caller, toolkit.options)
    const channels = candidatesOf(channelsFor(caller, { model, group, operation: 'chat', directory }))
    const channel = channels.find(({ id }) => id === place.channelId)
    if (!channel || !dialectsOf(channel).includes('openai-responses')) return false
    return place.keyDigest === '' || channelWithKey(channel, place.keyDigest) !== undefined
  } catch {
    return true
  }
}
