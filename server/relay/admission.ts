import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { ChannelDirectory, LiveChannel } from '../../core/channels/directory.ts'
import type { Operation } from '../../core/channels/operations.ts'
import { type Pool, poolOf } from '../../core/channels/routing.ts'
import { GatewayError } from '../../core/errors.ts'
import { groupExists, mayUseGroup } from '../../core/groups/groups.ts'
import type { Options } from '../../core/options/options.ts'
import { pricedName } from '../../core/pricing/names.ts'
import type { Price } from '../../core/pricing/prices.ts'
import { fingerprintOf } from '../../core/relay-outcomes.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { withoutOtherModels } from './asked-model.ts'
import { type Caller, identify, keyOf } from './authenticate.ts'
import type { PromptSize } from './counting/prompt.ts'
import type { Body } from './dialects/dialect.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { TOKENS_MAX } from './dialects/refuse.ts'
import type { EndpointAsk } from './endpoints/endpoint.ts'
import { ENDPOINTS } from './endpoints/endpoints.ts'
import type { Spools } from './endpoints/spools.ts'
import { bodyOfUpload, receiveUpload, type SpooledUpload } from './endpoints/upload.ts'
import type { Entry } from './entry.ts'
import { holdFor } from './hold.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import { DEPTH_MAX, isObject, isTooDeep } from './json.ts'
import { soundBody } from './sound-body.ts'

/** A request that was let in: who asks for what, at which price, and which channels may serve it. */
export interface Admitted {
  readonly requestId: string
  readonly entry: Entry
  readonly caller: Caller
  readonly group: string
  /** The name that the client asked for: it routes and prices the relay. */
  readonly model: string
  readonly price: Price
  readonly prompt: PromptSize
  /** How many output tokens the request may cost, all choices together; 0 = a conversation does not say. */
  readonly completionTokens: number
  /** How many replies a conversation wants. */
  readonly choices: number
  readonly raw: Buffer
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  readonly channels: Pool<LiveChannel>
  readonly query: string
  /** Those that an upstream may see. */
  readonly headers: Readonly<Record<string, string>>
  readonly clientHeaders: IncomingHttpHeaders
  /** To be discarded when the relay ends. */
  readonly upload?: SpooledUpload
}

/**
 * Client headers that an upstream may see; everything else stays here, and so does what would choose an account of the
 * operator: `openai-project`, `x-goog-user-project`, a workspace.
 */
const FORWARDED_HEADERS = ['openai-beta', 'anthropic-version', 'anthropic-beta'] as const
const FORWARDED_START = 'x-dashscope-'
const WORKSPACE = 'x-dashscope-workspace'

/**
 * Throws TOKEN_*, REQUEST_MALFORMED, MODEL_*, NO_CHANNEL, OPERATION_UNSUPPORTED, CHANNEL_*, and for forms INSUFFICIENT_* and
 * RATE_LIMITED: nothing has been held or sent yet. `known`: who asks, where that is not told by an API key.
 */
export async function admit(
  request: FastifyRequest,
  entry: Entry,
  {
    toolkit,
    directory,
    uploadMax,
    spools,
    known,
  }: {
    toolkit: LocalToolkit
    directory: ChannelDirectory
    /** Bytes of a multipart body. */
    uploadMax: number
    spools: Spools
    known?: Caller | undefined
  },
): Promise<Admitted> {
  const { options, pricing } = toolkit
  const query = queryOf(request)
  const caller = known ?? (await identify(toolkit, { key: keyOf(request.headers, query), address: request.ip }))
  const group = groupOf(caller, options)
  const { raw, body, upload } =
    request.body instanceof Readable
      ? await readForm(request.body, { request, entry, caller, toolkit, uploadMax, spools })
      : readBody(request, entry)
  try {
    const model = modelIn(entry, body)
    const channels = channelsFor(caller, { model, group, operation: entry.operation, directory })
    const shape = await shapeOf(entry, { model, body, upload })
    const price = await pricing.find({ model, group })
    if (!price) throw new GatewayError('MODEL_PRICE_MISSING', { model })
    return {
      requestId: request.id,
      entry,
      caller,
      group,
      model,
      price,
      ...shape,
      ...withoutOtherModels({ raw, body }),
      channels,
      query: withoutKey(query),
      headers: forwardedHeaders(request, caller.user.id),
      clientHeaders: request.headers,
      ...(upload && { upload }),
    }
  } catch (error) {
    await upload?.discard()
    throw error
  }
}

interface ReadBody {
  raw: Buffer
  body: Body
  upload?: SpooledUpload
}

/**
 * A form goes to the disk, so whoever could not pay anything is turned away before, and so is who has too much there. Throws
 * REQUEST_MALFORMED, INSUFFICIENT_*, RATE_LIMITED.
 */
async function readForm(
  payload: Readable,
  {
    request: { headers },
    entry,
    caller,
    toolkit,
    uploadMax,
    spools,
  }: {
    request: FastifyRequest
    entry: Entry
    caller: Caller
    toolkit: LocalToolkit
    uploadMax: number
    spools: Spools
  },
): Promise<ReadBody> {
  let leave = () => {}
  try {
    if (!takesForms(entry)) throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
    toolkit.ledger.release(await holdFor(toolkit, caller, { quota: 1 }))
    leave = spools.enter(caller.user.id)
    const upload = await receiveUpload(payload, { headers, bytesMax: uploadMax })
    const discard = () => upload.discard().finally(leave)
    return { raw: Buffer.alloc(0), body: bodyOfUpload(upload), upload: { ...upload, discard } }
  } catch (error) {
    // Read on, or the refusal could not be answered.
    payload.resume()
    leave()
    throw error
  }
}

function takesForms({ operation }: Entry): boolean {
  return operation !== 'chat' && operation !== 'realtime' && ENDPOINTS[operation].multipart
}

function readBody(request: FastifyRequest, { translate }: Entry): ReadBody {
  const raw = request.body as Buffer | undefined
  const sound = soundBody(raw as Buffer, parseBody(raw))
  if (!translate) return sound
  const translated = translate.request(sound.body)
  return { raw: Buffer.from(JSON.stringify(translated)), body: translated }
}

function modelIn({ model: named, modelIfNone, operation }: Entry, body: Body): string {
  const defaultModel = operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].defaultModel
  const model = named ?? (body.model || undefined) ?? modelIfNone ?? defaultModel
  if (typeof model !== 'string' || model === '') throw new GatewayError('MODEL_REQUIRED')
  return model
}

/** What a request is, as far as its price goes. Throws REQUEST_MALFORMED. */
async function shapeOf(
  { operation, dialect: name, stream }: Entry,
  ask: EndpointAsk,
): Promise<Pick<Admitted, 'prompt' | 'completionTokens' | 'choices' | 'stream'>> {
  if (operation === 'realtime') throw new Error('A session is admitted by its own route')
  if (operation === 'chat') {
    const dialect = DIALECTS[name]
    dialect.check(ask.body)
    const { tokens, choices } = dialect.limit(ask.body)
    return {
      prompt: dialect.prompt(ask.body),
      // Several choices cost as many times as much.
      completionTokens: Math.min((tokens ?? 0) * choices, TOKENS_MAX),
      choices,
      stream: stream ?? ask.body.stream === true,
    }
  }
  const endpoint = ENDPOINTS[operation]
  endpoint.check(ask)
  return {
    prompt: await endpoint.prompt(ask),
    completionTokens: endpoint.completionTokens(ask),
    choices: 1,
    stream: endpoint.streams(ask),
  }
}

export function queryOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** A key that the client has put into the query is for us alone. */
export function withoutKey(query: string): string {
  return query
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('key'))
    .join('&')
}

export function parseBody(raw: Buffer | undefined): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(raw?.toString('utf8') ?? '')
  } catch (cause) {
    const reason = raw?.length ? `the body is not valid JSON (${(cause as Error).message})` : 'the body is empty'
    throw new GatewayError('REQUEST_MALFORMED', { reason }, { cause })
  }
  if (!isObject(body)) throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be a JSON object' })
  if (isTooDeep(body, raw?.length ?? 0)) {
    throw new GatewayError('REQUEST_MALFORMED', { reason: `it is nested more than ${DEPTH_MAX} deep` })
  }
  return body
}

/** A user's idempotency key goes on as one that no other user can have: all share one account of the upstream. */
export function forwardedHeaders({ headers }: FastifyRequest, userId: number): Record<string, string> {
  const forwarded: Record<string, string> = {}
  const idempotencyKey = headers[IDEMPOTENCY_HEADER]
  if (typeof idempotencyKey === 'string') {
    forwarded[IDEMPOTENCY_HEADER] = fingerprintOf([String(userId), idempotencyKey])
  }
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(FORWARDED_START) && name !== WORKSPACE && typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** The group that routes and prices a caller's relays. Throws TOKEN_GROUP, GROUP_RETIRED. */
export function groupOf({ token, user }: Pick<Caller, 'token' | 'user'>, options: Options): string {
  if (token.group === '') return user.group
  const { group } = token
  if (!mayUseGroup(options, { own: user.group, wanted: group })) throw new GatewayError('TOKEN_GROUP', { group })
  if (!groupExists(options, group)) throw new GatewayError('GROUP_RETIRED', { group })
  return group
}

/**
 * The channels that may serve a relay; without an operation, whatever they can do. Throws TOKEN_MODEL, MODEL_NOT_FOUND when
 * nobody serves the model, NO_CHANNEL when only other groups may use it, OPERATION_UNSUPPORTED when those that serve it
 * cannot be asked for this, CHANNEL_* for a pinned channel.
 */
export function channelsFor(
  caller: Caller,
  {
    model,
    group,
    operation,
    directory,
  }: { model: string; group: string; operation?: Operation; directory: ChannelDirectory },
): Pool<LiveChannel> {
  const unsupported = () =>
    new GatewayError('OPERATION_UNSUPPORTED', { reason: `no channel serves ${operation} with the model ${model}` })
  if (caller.pinnedChannelId) {
    const channel = pinned(caller.pinnedChannelId, directory)
    if (operation && !channel.type.operations.includes(operation)) throw unsupported()
    return poolOf([channel])
  }
  if (caller.token.models && !caller.token.models.has(model)) throw new GatewayError('TOKEN_MODEL', { model })
  const routed = pricedName(model)
  const channels = directory.pool(group, routed, operation)
  if (channels.size) return channels
  if (!directory.serves(routed)) throw new GatewayError('MODEL_NOT_FOUND', { model })
  if (directory.pool(group, routed).size) throw unsupported()
  throw new GatewayError('NO_CHANNEL', { model, group })
}

function pinned(id: number, directory: ChannelDirectory): LiveChannel {
  const channel = directory.find(id)
  if (!channel) throw new GatewayError('CHANNEL_ID_INVALID', { id })
  if (channel.status !== CHANNEL_STATUS.enabled) throw new GatewayError('CHANNEL_DISABLED', { id })
  return channel
}
