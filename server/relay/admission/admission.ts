import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Pool } from '../../../core/channels/routing/routing.ts'
import type { Config } from '../../../core/config.ts'
import { errorMessage } from '../../../core/error-parts.ts'
import { GatewayError } from '../../../core/errors.ts'
import { groupExists, mayUseGroup } from '../../../core/groups/groups.ts'
import { because } from '../../../core/messages/reasons.ts'
import type { Options } from '../../../core/options/options.ts'
import { type Price, withTiers } from '../../../core/pricing/prices.ts'
import type { Ready } from '../../../core/ready.ts'
import { isRecord } from '../../../core/records.ts'
import { fingerprintOf } from '../../../core/relay-outcomes.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { BodyBudget } from '../../bodies/budget.ts'
import { watchPace } from '../../bodies/pace.ts'
import { namesTier } from '../charging/charged-price.ts'
import type { PromptContents } from '../counting/prompt.ts'
import { withStrayFiles } from '../counting/stray-files.ts'
import type { Body } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { TOKENS_MAX } from '../dialects/refuse.ts'
import type { Endpoint, EndpointAsk } from '../endpoints/endpoint.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import { bodyOfUpload, receiveUpload, type SpooledUpload } from '../endpoints/upload.ts'
import type { UploadSlots } from '../endpoints/upload-slots.ts'
import { type HostedTools, withObjects, withPricedTools } from '../hosted/admit-hosted.ts'
import { itemReferences, type ObjectReference, referencesIn } from '../hosted/references.ts'
import { hostedUses } from '../hosted/uses.ts'
import { type Caller, objectOwnerOf } from './authenticate.ts'
import { channelsFor } from './channels-for.ts'
import type { RelayEntry } from './entry.ts'
import { withoutOtherModels } from './field-names.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import { normalizeBody } from './normalize-body.ts'
import type { RelayRequest } from './relay-request.ts'

/** An admitted request: the caller, the model and its price, and the channels that may serve it. */
export interface Admitted {
  readonly requestId: string
  readonly entry: RelayEntry
  readonly caller: Caller
  readonly group: string
  /** The model name that the client requested. It determines the channels and the price. */
  readonly model: string
  readonly price: Price
  readonly prompt: PromptContents
  /** Maximum billable output tokens of all choices together. 0 means that the client sets no limit. */
  readonly completionTokens: number
  /** The number of replies that the client requests (`n`). */
  readonly choices: number
  readonly raw: Buffer
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /**
   * The channels that may serve the request. For each channel, all hosted tools of the request have a price, and the
   * channel's account has all stored objects that the request names.
   */
  readonly channels: Pool<LiveChannel>
  /** Hosted tools that the upstream may run, if any. */
  readonly hosted?: HostedTools
  /** Prompt tokens of stored objects. Infinity means unknown, and absent means 0. */
  readonly storedTokens?: number
  readonly query: string
  /** Headers that may be forwarded to an upstream. */
  readonly headers: Readonly<Record<string, string>>
  readonly clientHeaders: IncomingHttpHeaders
  /** The client's address, which only realtime sessions need. */
  readonly address?: string
  /** The files of a form. The relay deletes them when it ends. */
  readonly upload?: SpooledUpload
}

/**
 * Client headers that may be forwarded to an upstream. Other headers are dropped, because some of them would select an
 * account of the operator, such as `openai-project` and `x-goog-user-project`.
 */
const FORWARDED_HEADERS = ['openai-beta', 'anthropic-version', 'anthropic-beta', 'traceparent', 'tracestate'] as const
const MODEL_LENGTH_MAX = 8192
const FORWARDED_PREFIX = 'x-dashscope-'
/**
 * Headers with FORWARDED_PREFIX that are not forwarded. They select an account, run plugins that cost extra, or make
 * the upstream return a task instead of the reply.
 */
const WITHHELD_HEADERS = new Set(['x-dashscope-workspace', 'x-dashscope-plugin', 'x-dashscope-async'])

interface AdmissionParts {
  readonly toolkit: LocalToolkit
  readonly directory: ChannelDirectory
  /** `uploadMax`: maximum bytes of a multipart body. */
  readonly config: Pick<Config, 'uploadMax'>
  readonly bodies: BodyBudget
  readonly uploadSlots: UploadSlots
}

interface CallerRequest {
  readonly request: RelayRequest
  readonly entry: RelayEntry
  readonly caller: Caller
  readonly named: NamedModel | undefined
}

/** The model that a request names. Admission sets this model even if it rejects the request afterward. */
export interface NamedModel {
  namedModel: string
}

/**
 * Admits a request, but holds no quota yet. Throws, or rejects with, TOKEN_*, GROUP_RETIRED, REQUEST_MALFORMED,
 * MODEL_*, NO_CHANNEL, OPERATION_UNSUPPORTED, CHANNEL_*, CHANNELS_DISABLED, TOOL_NOT_PRICED, STORED_OBJECT_NOT_FOUND.
 * For a form, also RATE_LIMITED and the errors of `receiveUpload`. `known` is the caller if the request has no API key.
 */
export function admit(
  request: RelayRequest,
  entry: RelayEntry,
  parts: AdmissionParts,
  { known, named }: { known?: Caller | undefined; named?: NamedModel } = {},
): Ready<Admitted> {
  const callerRequest = { request, entry, caller: known ?? (request.caller as Caller), named }
  const { body } = request
  return body instanceof Readable
    ? admitForm(body, callerRequest, parts)
    : admitBody(readBody(request, entry), callerRequest, parts)
}

async function admitForm(payload: Readable, callerRequest: CallerRequest, parts: AdmissionParts): Promise<Admitted> {
  groupOf(callerRequest.caller, parts.toolkit.options)
  const read = await readForm(payload, { ...callerRequest, ...parts })
  try {
    return await admitBody(read, callerRequest, parts)
  } catch (error) {
    await read.upload?.discard()
    throw error
  }
}

/**
 * Admits a parsed body. For a chat, returns a promise only if prices are not loaded yet or if the request names stored
 * objects.
 */
function admitBody(
  read: ReadBody,
  callerRequest: CallerRequest,
  { toolkit, directory }: AdmissionParts,
): Ready<Admitted> {
  const { pricing, options } = toolkit
  const { request, entry, caller, named } = callerRequest
  const { raw, body, references, upload } = read
  const model = modelIn(entry, body)
  if (named) named.namedModel = model
  const group = groupOf(caller, options)
  const servingChannels = channelsFor(caller, { model, group, operation: entry.operation, directory })

  const withShape = (shape: Shape): Ready<Admitted> => {
    const price = pricing.find({ model, group })
    return price instanceof Promise ? price.then((loaded) => withPrice(shape, loaded)) : withPrice(shape, price)
  }
  const withPrice = (shape: Shape, modelPrice: Price | undefined): Ready<Admitted> => {
    if (!modelPrice) throw new GatewayError('MODEL_PRICE_MISSING', { model })
    const price = modelPrice.tiers && namesTier(body) ? withTiers(modelPrice) : modelPrice
    if (references.length === 0) return withChannels(shape, price, { channels: servingChannels, storedTokens: 0 })
    const search = withObjects(servingChannels, references, { ...toolkit, owner: objectOwnerOf(caller) })
    return search.then((result) => withChannels(shape, price, result))
  }
  const withChannels = (
    shape: Shape,
    price: Price,
    { channels: withAllObjects, storedTokens }: { channels: Pool<LiveChannel>; storedTokens: number },
  ): Admitted => {
    const uses = entry.operation === 'chat' ? hostedUses(body, { dialect: entry.dialect, model }) : []
    const { channels, hosted } =
      uses.length === 0
        ? { channels: withAllObjects }
        : withPricedTools(withAllObjects, uses, { model, body, dialect: entry.dialect, pricing, options })
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
      headers: forwardedHeaders(request, caller),
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
  /** The stored upstream objects that the body names. */
  references: readonly ObjectReference[]
  upload?: SpooledUpload
}

/**
 * Stores a form on disk. Each user may have only a limited number of forms at a time. Throws REQUEST_MALFORMED,
 * RATE_LIMITED, BODIES_*, BODY_TOO_SLOW.
 */
async function readForm(
  payload: Readable,
  {
    request: { headers, ip, raw },
    entry,
    caller,
    bodies,
    config: { uploadMax },
    uploadSlots,
  }: CallerRequest & Pick<AdmissionParts, 'bodies' | 'config' | 'uploadSlots'>,
): Promise<ReadBody> {
  let releaseSlot = () => {}
  try {
    if (!takesForms(entry)) throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
    releaseSlot = uploadSlots.acquire(caller.user.id)
    const upload = await receiveUpload(payload, {
      headers,
      bytesMax: uploadMax,
      share: bodies.open({ address: ip, userId: caller.user.id }),
      watch: (abort) => watchPace(raw.socket, abort),
    })
    const discard = () => upload.discard().finally(releaseSlot)
    const body = bodyOfUpload(upload)
    return { raw: Buffer.alloc(0), body, references: referencesIn(body), upload: { ...upload, discard } }
  } catch (error) {
    // Read the remaining body, because many clients read the error only after they have sent the body.
    payload.resume()
    releaseSlot()
    throw error
  }
}

function takesForms({ operation }: RelayEntry): boolean {
  return operation !== 'chat' && operation !== 'realtime' && ENDPOINTS[operation].multipart
}

const NO_REFERENCES: readonly ObjectReference[] = []

function readBody(request: RelayRequest, { translate, dialect, operation }: RelayEntry): ReadBody {
  const received = request.body as Buffer | undefined
  const { raw, body, mayReference } = normalizeBody(received as Buffer, parseBody(received), request.bodyKeys)
  const objects = mayReference ? referencesIn(body) : NO_REFERENCES
  const items = operation === 'chat' && dialect === 'openai-responses' ? itemReferences(body) : NO_REFERENCES
  const references = items.length > 0 ? [...objects, ...items] : objects
  if (!translate) return { raw, body, references }
  const translated = translate.request(body)
  return { raw: Buffer.from(JSON.stringify(translated)), body: translated, references }
}

function modelIn({ model: pathModel, modelIfNone, operation }: RelayEntry, body: Body): string {
  const defaultModel = operation === 'chat' || operation === 'realtime' ? undefined : ENDPOINTS[operation].defaultModel
  const model = pathModel ?? (body.model || undefined) ?? modelIfNone ?? defaultModel
  if (typeof model !== 'string' || model === '') throw new GatewayError('MODEL_REQUIRED')
  if (model.length > MODEL_LENGTH_MAX) throw new GatewayError('MODEL_NOT_FOUND', { model: `${model.slice(0, 40)}…` })
  return model
}

/** The properties of a request that determine its price. */
type Shape = Pick<Admitted, 'prompt' | 'completionTokens' | 'choices' | 'stream'>

/** Throws, or rejects with, REQUEST_MALFORMED. */
function shapeOf({ operation, dialect: name, stream }: RelayEntry, ask: EndpointAsk): Ready<Shape> {
  if (operation === 'realtime') throw new Error('A session is admitted by its own route')
  if (operation === 'chat') {
    const dialect = DIALECTS[name]
    dialect.check(ask.body)
    const { tokens, choices } = dialect.limit(ask.body)
    return {
      prompt: withStrayFiles(dialect.prompt(ask.body), ask.body),
      // The limit applies to each choice.
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
    prompt: withStrayFiles(await endpoint.prompt(ask), ask.body),
    completionTokens: endpoint.completionTokens(ask),
    choices: 1,
    stream: endpoint.streams(ask),
  }
}

export function queryOf({ url }: Pick<RelayRequest, 'url'>): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Removes the `key` parameter from a query, because the upstream must not get the gateway's API key. */
export function withoutKey(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('key'))
    .join('&')
}

/** Parses a body as a JSON object. `receiveJson` has checked its size and structure. Throws REQUEST_MALFORMED. */
export function parseBody(raw: Buffer | undefined): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(raw?.toString('utf8') ?? '')
  } catch (cause) {
    throw new GatewayError('REQUEST_MALFORMED', { reason: unparsableReason(raw, cause) }, { cause })
  }
  if (!isRecord(body)) throw new GatewayError('REQUEST_MALFORMED', because('bodyNotObject'))
  return body
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

function unparsableReason(raw: Buffer | undefined, cause: unknown): string {
  if (!raw?.length) return 'the body is empty'
  // Without this text, the error would show the mark, which is invisible.
  if (raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
    return 'the body begins with a byte order mark: send UTF-8 without the mark'
  return `the body is not valid JSON (${errorMessage(cause)})`
}

function ownerIds(caller: Pick<Caller, 'user' | 'token'>): string[] {
  const { userId, memberId } = objectOwnerOf(caller)
  return memberId === 0 ? [String(userId)] : [String(userId), String(memberId)]
}

/**
 * Returns the client headers to forward. Replaces the idempotency key by a hash of this key and its owner, because
 * users share upstream accounts.
 */
export function forwardedHeaders(
  { headers }: Pick<RelayRequest, 'headers'>,
  caller: Pick<Caller, 'user' | 'token'>,
): Record<string, string> {
  const forwarded: Record<string, string> = {}
  const idempotencyKey = headers[IDEMPOTENCY_HEADER]
  if (typeof idempotencyKey === 'string') {
    forwarded[IDEMPOTENCY_HEADER] = fingerprintOf([...ownerIds(caller), idempotencyKey])
  }
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  for (const name in headers) {
    if (!name.startsWith(FORWARDED_PREFIX) || WITHHELD_HEADERS.has(name)) continue
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** Returns the group that selects the channels and prices for a caller. Throws TOKEN_GROUP, GROUP_RETIRED. */
export function groupOf({ token, user }: Pick<Caller, 'token' | 'user'>, options: Options): string {
  if (token.group === '') return user.group
  const { group } = token
  if (!mayUseGroup(options, { userGroup: user.group, requestedGroup: group }))
    throw new GatewayError('TOKEN_GROUP', { group })
  if (!groupExists(options, group)) throw new GatewayError('GROUP_RETIRED', { group })
  return group
}
