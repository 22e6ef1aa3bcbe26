import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/directory.ts'
import type { Operation } from '../../../core/channels/operations.ts'
import { type Pool, poolOf } from '../../../core/channels/routing.ts'
import type { Config } from '../../../core/config.ts'
import { GatewayError } from '../../../core/errors.ts'
import { groupExists, mayUseGroup } from '../../../core/groups/groups.ts'
import type { Options } from '../../../core/options/options.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import type { Ready } from '../../../core/ready.ts'
import { fingerprintOf } from '../../../core/relay-outcomes.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { BodyBudget } from '../../bodies/budget.ts'
import { watchPace } from '../../bodies/pace.ts'
import type { PromptSize } from '../counting/prompt.ts'
import type { Body } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { TOKENS_MAX } from '../dialects/refuse.ts'
import type { Endpoint, EndpointAsk } from '../endpoints/endpoint.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import type { Spools } from '../endpoints/spools.ts'
import { bodyOfUpload, receiveUpload, type SpooledUpload } from '../endpoints/upload.ts'
import { type HostedTools, withObjects, withPricedTools } from '../hosted/admit-hosted.ts'
import { itemReferences, type Reference, referencesIn } from '../hosted/references.ts'
import { hostedUses } from '../hosted/uses.ts'
import { isObject } from '../json.ts'
import { withoutOtherModels } from './asked-model.ts'
import type { Caller } from './authenticate.ts'
import type { Entry } from './entry.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import type { RelayRequest } from './relay-request.ts'
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
  /** Those that may be asked: at which all tools have a price, and which have all objects that the request names. */
  readonly channels: Pool<LiveChannel>
  /** Tools that the upstream may run. Absent: there are none. */
  readonly hosted?: HostedTools
  /** Tokens that stored objects add to the prompt; infinitely many if unknown. Absent: none. */
  readonly storedTokens?: number
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
/** What is longer is no name. */
const MODEL_LENGTH_MAX = 8192
/** Clients retry after this time if all channels of a model are disabled: an operator or a test may enable one. */
const DISABLED_RETRY_S = 30
const FORWARDED_START = 'x-dashscope-'
/** They choose an account, run plugins that cost apart, and replace the reply by a task. */
const WITHHELD = new Set(['x-dashscope-workspace', 'x-dashscope-plugin', 'x-dashscope-async'])

interface AdmissionParts {
  readonly toolkit: LocalToolkit
  readonly directory: ChannelDirectory
  /** `uploadMax`: bytes of a multipart body. */
  readonly config: Pick<Config, 'uploadMax'>
  readonly bodies: BodyBudget
  readonly spools: Spools
}

/** Who asks, and for what path. */
interface Asked {
  readonly request: RelayRequest
  readonly entry: Entry
  readonly caller: Caller
}

/**
 * Throws, or rejects with, TOKEN_*, REQUEST_MALFORMED, MODEL_*, NO_CHANNEL, OPERATION_UNSUPPORTED, CHANNEL_*, TOOL_NOT_PRICED,
 * STORED_OBJECT_NOT_FOUND, and for forms what `receiveUpload` throws and RATE_LIMITED: nothing has been held or sent yet. `known`: who
 * asks, if no API key tells.
 */
export function admit(
  request: RelayRequest,
  entry: Entry,
  parts: AdmissionParts,
  known?: Caller | undefined,
): Ready<Admitted> {
  const asked = { request, entry, caller: known ?? (request.caller as Caller) }
  const { body } = request
  return body instanceof Readable ? admitForm(body, asked, parts) : admitBody(readBody(request, entry), asked, parts)
}

async function admitForm(payload: Readable, asked: Asked, parts: AdmissionParts): Promise<Admitted> {
  groupOf(asked.caller, parts.toolkit.options)
  const read = await readForm(payload, { ...asked, ...parts })
  try {
    return await admitBody(read, asked, parts)
  } catch (error) {
    await read.upload?.discard()
    throw error
  }
}

/** Nothing is waited for, unless the request names stored objects or its endpoint looks into files. */
function admitBody(read: ReadBody, asked: Asked, { toolkit, directory }: AdmissionParts): Ready<Admitted> {
  const { pricing, options } = toolkit
  const { request, entry, caller } = asked
  const { raw, body, references, upload } = read
  const group = groupOf(caller, options)
  const model = modelIn(entry, body)
  const served = channelsFor(caller, { model, group, operation: entry.operation, directory })

  const withShape = (shape: Shape): Ready<Admitted> => {
    const price = pricing.find({ model, group })
    return price instanceof Promise ? price.then((found) => withPrice(shape, found)) : withPrice(shape, price)
  }
  const withPrice = (shape: Shape, price: Price | undefined): Ready<Admitted> => {
    if (!price) throw new GatewayError('MODEL_PRICE_MISSING', { model })
    if (references.length === 0) return withChannels(shape, price, { channels: served, storedTokens: 0 })
    const found = withObjects(served, references, { ...toolkit, userId: caller.user.id })
    return found.then((having) => withChannels(shape, price, having))
  }
  const withChannels = (
    shape: Shape,
    price: Price,
    { channels: having, storedTokens }: { channels: Pool<LiveChannel>; storedTokens: number },
  ): Admitted => {
    const uses = entry.operation === 'chat' ? hostedUses(body, { dialect: entry.dialect, model }) : []
    const { channels, hosted } =
      uses.length === 0
        ? { channels: having }
        : withPricedTools(having, uses, { model, body, dialect: entry.dialect, pricing, options })
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
      ...(hosted && { hosted }),
      ...(storedTokens > 0 && { storedTokens }),
      query: withoutKey(queryOf(request)),
      headers: forwardedHeaders(request, caller.user.id),
      clientHeaders: request.headers,
      ...(upload && { upload }),
    }
  }

  const shape = shapeOf(entry, { model, body, upload })
  return shape instanceof Promise ? shape.then(withShape) : withShape(shape)
}

interface ReadBody {
  raw: Buffer
  body: Body
  /** Objects of an upstream that it names. */
  references: readonly Reference[]
  upload?: SpooledUpload
}

/**
 * A form goes to the disk, where a user can have only so many. Throws REQUEST_MALFORMED, RATE_LIMITED, BODIES_*, BODY_TOO_SLOW.
 */
async function readForm(
  payload: Readable,
  {
    request: { headers, ip, raw },
    entry,
    caller,
    bodies,
    config: { uploadMax },
    spools,
  }: Asked & Pick<AdmissionParts, 'bodies' | 'config' | 'spools'>,
): Promise<ReadBody> {
  let leave = () => {}
  try {
    if (!takesForms(entry)) throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
    leave = spools.enter(caller.user.id)
    const upload = await receiveUpload(payload, {
      headers,
      bytesMax: uploadMax,
      share: bodies.open({ address: ip, userId: caller.user.id }),
      watch: (abort) => watchPace(raw.socket, abort),
    })
    const discard = () => upload.discard().finally(leave)
    const body = bodyOfUpload(upload)
    return { raw: Buffer.alloc(0), body, references: referencesIn(body), upload: { ...upload, discard } }
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

const NO_REFERENCES: readonly Reference[] = []

function readBody(request: RelayRequest, { translate, dialect, operation }: Entry): ReadBody {
  const received = request.body as Buffer | undefined
  const { raw, body, mayReference } = soundBody(received as Buffer, parseBody(received), request.bodyKeys)
  const named = mayReference ? referencesIn(body) : NO_REFERENCES
  const items = operation === 'chat' && dialect === 'openai-responses' ? itemReferences(body) : NO_REFERENCES
  const references = items.length > 0 ? [...named, ...items] : named
  if (!translate) return { raw, body, references }
  const translated = translate.request(body)
  return { raw: Buffer.from(JSON.stringify(translated)), body: translated, references }
}

function modelIn({ model: named, modelIfNone, operation }: Entry, body: Body): string {
  const defaultModel = operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].defaultModel
  const model = named ?? (body.model || undefined) ?? modelIfNone ?? defaultModel
  if (typeof model !== 'string' || model === '') throw new GatewayError('MODEL_REQUIRED')
  if (model.length > MODEL_LENGTH_MAX) throw new GatewayError('MODEL_NOT_FOUND', { model: `${model.slice(0, 40)}…` })
  return model
}

/** What a request is, as far as its price goes. */
type Shape = Pick<Admitted, 'prompt' | 'completionTokens' | 'choices' | 'stream'>

/** Throws, or rejects with, REQUEST_MALFORMED. */
function shapeOf({ operation, dialect: name, stream }: Entry, ask: EndpointAsk): Ready<Shape> {
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
  return shapeOfEndpoint(ENDPOINTS[operation], ask)
}

async function shapeOfEndpoint(endpoint: Endpoint, ask: EndpointAsk): Promise<Shape> {
  endpoint.check(ask)
  return {
    prompt: await endpoint.prompt(ask),
    completionTokens: endpoint.completionTokens(ask),
    choices: 1,
    stream: endpoint.streams(ask),
  }
}

export function queryOf({ url }: Pick<RelayRequest, 'url'>): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** A key that the client has put into the query is for us alone. */
export function withoutKey(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('key'))
    .join('&')
}

/** The body of a request, as a JSON object. Its size and structure were bounded when it arrived. Throws REQUEST_MALFORMED. */
export function parseBody(raw: Buffer | undefined): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(raw?.toString('utf8') ?? '')
  } catch (cause) {
    const reason = raw?.length ? `the body is not valid JSON (${(cause as Error).message})` : 'the body is empty'
    throw new GatewayError('REQUEST_MALFORMED', { reason }, { cause })
  }
  if (!isObject(body)) throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be a JSON object' })
  return body
}

/** A user's idempotency key goes on as one that no other user can have: all share one account of the upstream. */
export function forwardedHeaders({ headers }: Pick<RelayRequest, 'headers'>, userId: number): Record<string, string> {
  const forwarded: Record<string, string> = {}
  const idempotencyKey = headers[IDEMPOTENCY_HEADER]
  if (typeof idempotencyKey === 'string') {
    forwarded[IDEMPOTENCY_HEADER] = fingerprintOf([String(userId), idempotencyKey])
  }
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  for (const name in headers) {
    if (!name.startsWith(FORWARDED_START) || WITHHELD.has(name)) continue
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
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
 * The channels that may serve a relay; without an operation, whatever they can do. Throws TOKEN_MODEL, CHANNELS_DISABLED if
 * only disabled channels would serve the model for the group, MODEL_NOT_FOUND when nobody serves the model, NO_CHANNEL when only other groups may use it, OPERATION_UNSUPPORTED when those that serve it
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
  if (directory.isDisabledFor(group, routed, operation)) {
    throw new GatewayError('CHANNELS_DISABLED', { model, seconds: DISABLED_RETRY_S })
  }
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
