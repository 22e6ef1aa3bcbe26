import type { LiveChannel } from '../../../core/channels/directory.ts'
import { blamesRequest } from '../../../core/channels/health/blame.ts'
import type { Operation } from '../../../core/channels/operations.ts'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import type { Coverage } from '../charging/extend.ts'
import { Meter } from '../charging/meter.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { endpointReader, piecesMade, reportedUsage } from '../endpoints/reader.ts'
import { parseObject } from '../json.ts'
import { failure, presentable } from '../providers/failure.ts'
import type { Ask, Failure, Means, Plan, Provider, ReplyReader } from '../providers/provider.ts'
import { providerFor } from '../providers/providers.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { type Piece, type Pieces, readPieces } from '../transport/pieces.ts'
import { EVENT_BYTES_MAX } from '../transport/sse.ts'
import { isTimeout, isUnreached, type Upstream } from '../transport/upstream.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'
import { withOverrides } from './overrides.ts'
import { retryAfter } from './retry-after.ts'

const ERROR_BYTES_MAX = 64 * 1024
const REPLY_BYTES_MAX = 256 * 1024 * 1024

/** A whole reply that arrived. */
export interface WholeReply {
  kind: 'whole'
  /** As it arrived; it may go to the client so when `native`. */
  bytes: Buffer
  body: Record<string, unknown>
  /** What it says; nothing for operations other than `chat`. */
  steps: ReplyEvent[]
  meter: Meter
  native: boolean
  renamesModel: boolean
  /** The client's fields of tools that the upstream does not have. */
  omitted?: readonly string[] | undefined
}
/** A stream whose first token has arrived: nothing of it has gone to the client yet. */
export interface StreamReply {
  kind: 'stream'
  /** Pieces up to and including the first that says something. */
  head: Piece[]
  rest: Pieces
  meter: Meter
  /** Milliseconds since the epoch. */
  firstTokenAt: number
  native: boolean
  renamesModel: boolean
  /** The client's fields of tools that the upstream does not have. */
  omitted?: readonly string[] | undefined
}
/** A reply that is not JSON: its bytes pass. */
export interface BytesReply {
  kind: 'bytes'
  contentType: string
  /** There is always one: an empty reply is a failure. */
  first: Buffer
  reply: UpstreamReply
}
export type Answered = WholeReply | StreamReply | BytesReply
export type AttemptResult = Answered | { kind: 'failure'; failure: Failure } | { kind: 'cut' }
/** The channel cannot be asked this: nothing was sent. */
export interface PassedOver {
  kind: 'passed-over'
  refusal: GatewayError
}

export interface AttemptMeans {
  upstream: Upstream
  /** What providers may need, for one channel. */
  means: Means
  interruption: Pick<Interruption, 'signal' | 'cause' | 'endAttempt'>
  relayTimeoutMs: number
  firstTokenTimeoutMs: number
  /** Absent: nobody pays for it. */
  coverage?: Coverage
}

/**
 * One try of one channel, up to the point where something could go to the client. Throws the refusals that an upstream's
 * reply amounts to, and those of `Provider.plan` that are no matter of the channel.
 */
export async function attempt(
  ask: Ask,
  channel: LiveChannel,
  parts: AttemptMeans,
  isSecond = false,
): Promise<AttemptResult | PassedOver> {
  const { upstream, means, interruption, relayTimeoutMs, firstTokenTimeoutMs, coverage } = parts
  const provider = providerFor(channel.type)
  let late = false
  // A whole reply has no first token: only streams can be late with it.
  const timer =
    firstTokenTimeoutMs && ask.stream
      ? setTimeout(() => {
          late = true
          interruption.endAttempt()
        }, firstTokenTimeoutMs)
      : undefined
  let plan: Plan | undefined
  let reply: UpstreamReply | undefined
  let value: AttemptResult | undefined
  let expired = false
  const fail = (found: Failure): AttemptResult => {
    expired = plan?.credential?.refused(found) === true
    if (expired && plan?.credential) means.forgetCredential(plan.credential.key)
    return { kind: 'failure', failure: presentable(found, channel) }
  }
  try {
    const planned = provider.plan(ask, channel, means)
    plan = planned instanceof Promise ? await planned : planned
    const overridden = withOverrides(plan.request, { ask, channel, native: plan.native === true && !plan.adapted })
    const request = plan.sign ? await plan.sign(overridden) : overridden
    // A signal is given once: an exchange that begins after it would run to its end for nobody.
    if (interruption.cause || late) throw new Error('The attempt has ended')
    reply = await upstream.send(request, {
      signal: interruption.signal,
      headersTimeoutMs: relayTimeoutMs,
      channel,
    })
    value = await open(reply, { ask, plan, provider, fail, coverage })
    if (!plan.native && plan.reader && 'native' in value) value.omitted = ask.conversation().omitted
  } catch (error) {
    if (interruption.cause) return { kind: 'cut' }
    if (error instanceof GatewayError) {
      if (reply || !OF_CHANNEL.has(error.code)) throw error
      return { kind: 'passed-over', refusal: error }
    }
    value = fail(broken(error, { late, planned: plan !== undefined, answered: reply !== undefined }))
  } finally {
    clearTimeout(timer)
    // What nobody will read must not go on arriving.
    if (value?.kind !== 'stream' && value?.kind !== 'bytes') reply?.body.destroy()
  }
  // A credential that was good a moment ago may have been withdrawn: a new one is asked for, once.
  return expired && !isSecond ? attempt(ask, channel, parts, true) : value
}

/** What only this channel cannot do: its upstream has no place for it, or it is not set up. */
const OF_CHANNEL = new Set<ErrorCode>(['CHANNEL_MISCONFIGURED', 'OPERATION_UNSUPPORTED', 'REQUEST_MALFORMED'])

/** The code of an upstream that could not be reached, or broke off. */
export const UNREACHED = 'do_request_failed'

/** The failure that an exception stands for. */
function broken(
  error: unknown,
  { late, planned, answered }: { late: boolean; planned: boolean; answered: boolean },
): Failure {
  if (late) {
    const found = failure(504, 'The upstream sent no token in time', { code: 'first_token_timeout' })
    return { ...found, retry: 'other-channel' }
  }
  // The upstream may still be working on it, and charging: no other channel is asked.
  if (isTimeout(error)) return failure(504, 'The upstream did not answer in time', { code: 'upstream_timeout' })
  const found = failure(502, 'The upstream could not be reached, or broke off', { code: UNREACHED })
  if (answered) return found
  if (isUnreached(error)) return { ...found, unreached: true }
  // A defect in what was to be sent says nothing about whom it was to be sent to.
  return planned || typeof (error as { code?: unknown }).code === 'string' ? found : { ...found, unasked: true }
}

type Fail = (failure: Failure) => AttemptResult

function open(
  reply: UpstreamReply,
  {
    ask,
    plan,
    provider,
    fail,
    coverage,
  }: { ask: Ask; plan: Plan; provider: Provider; fail: Fail; coverage: Coverage | undefined },
): Promise<AttemptResult> {
  const { statusCode, headers } = reply
  if (statusCode < 200 || statusCode > 299) return openFailure(reply, { provider, fail })
  const contentType = String(headers['content-type'] ?? '')
  if (!plan.reader) {
    if (contentType.startsWith('text/event-stream')) {
      return openStream(reply, { plan: { ...plan, native: true }, reader: endpointReader(ask.operation), fail })
    }
    return openOther(reply, { plan, contentType, operation: ask.operation, fail })
  }
  if (!isStream(contentType, { ask, plan })) {
    return openWhole(reply, { plan, reader: plan.reader, contentType, fail })
  }
  const opening = openStream(reply, { plan, reader: plan.reader, fail })
  if (ask.stream) return opening
  return opening.then((opened) =>
    opened.kind === 'stream' ? aggregated(opened, fail, coverage?.(opened.meter)) : opened,
  )
}

async function openFailure(
  reply: UpstreamReply,
  { provider, fail }: { provider: Provider; fail: Fail },
): Promise<AttemptResult> {
  const { statusCode, headers } = reply
  const text = await textOf(reply)
  const retryAfterMs = retryAfter(headers, text, Date.now())
  const upstreamRequestId = REQUEST_ID_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string')
  return fail({
    ...provider.failure(statusCode, text, headers),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(typeof upstreamRequestId === 'string' && { upstreamRequestId: upstreamRequestId.slice(0, REQUEST_ID_MAX) }),
  })
}

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const
const REQUEST_ID_MAX = 128

/** JSON is read as a whole even where a stream was asked for; other types are what was asked for. */
function isStream(contentType: string, { ask, plan }: { ask: Ask; plan: Plan }): boolean {
  if (contentType.startsWith('text/event-stream')) return true
  return plan.framing !== undefined && plan.framing !== 'sse' && (ask.stream || plan.alwaysStreams === true)
}

async function openWhole(
  reply: UpstreamReply,
  { plan, reader, contentType, fail }: { plan: Plan; reader: ReplyReader; contentType: string; fail: Fail },
): Promise<AttemptResult> {
  const received = jsonIn(await reply.body.whole(REPLY_BYTES_MAX), { contentType, fail })
  if ('kind' in received) return received
  const { bytes, body } = plan.follow ? await followed(received, plan.follow) : received
  const steps = reader.whole(body)
  // What a family's reader does not know for an error may be one of a hub or a proxy before the upstream.
  const error = errorIn(steps) ?? (isReplyError(body) ? replyError(body) : undefined)
  if (error) return fail(failureOf(error))
  if (!steps.some(isReadable)) return fail(saidNothing())
  const meter = new Meter()
  meter.read(steps)
  return { kind: 'whole', bytes, body, steps, meter, ...natureOf(plan) }
}

/** JSON that is no reply says nothing of the kind. */
function isReadable(step: ReplyEvent): boolean {
  if (step.kind === 'start') return step.id !== undefined || step.model !== undefined
  return step.kind !== 'usage' && step.kind !== 'end'
}

const saidNothing = () => failure(502, 'The upstream sent an empty answer', { code: 'bad_response_body' })

/** Operations other than conversations: JSON in OpenAI's shape, or bytes that pass. */
async function openOther(
  reply: UpstreamReply,
  { plan, contentType, operation, fail }: { plan: Plan; contentType: string; operation: Operation; fail: Fail },
): Promise<AttemptResult> {
  const meterOf = (body: Record<string, unknown>) => {
    const meter = new Meter()
    meter.usage = reportedUsage(operation, body)
    meter.made = piecesMade(operation, body)
    return meter
  }
  if (plan.bytes && !contentType.includes('json')) {
    if (!plan.convertBytes) {
      const first = await reply.body.read()
      return first ? { kind: 'bytes', contentType, first, reply } : fail(saidNothing())
    }
    const received = await reply.body.whole(REPLY_BYTES_MAX)
    if (received.length === 0) return fail(saidNothing())
    const body = plan.convertBytes(received, contentType)
    return { kind: 'whole', bytes: Buffer.from(JSON.stringify(body)), body, steps: [], meter: meterOf(body), ...NATIVE }
  }
  const received = jsonIn(await reply.body.whole(REPLY_BYTES_MAX), { contentType, fail })
  if ('kind' in received) return received
  const read = plan.follow ? await followed(received, plan.follow) : received
  const error = isReplyError(read.body) ? replyError(read.body) : undefined
  if (error) return fail(failureOf(error))
  const body = plan.convert ? plan.convert(read.body) : read.body
  const bytes = body === read.body ? read.bytes : Buffer.from(JSON.stringify(body))
  return { kind: 'whole', bytes, body, steps: [], meter: meterOf(body), ...natureOf({ ...plan, native: true }) }
}

const NATIVE = { native: true, renamesModel: false }

function natureOf({ native = false, renamesModel = false }: Plan) {
  return { native, renamesModel }
}

interface JsonReply {
  bytes: Buffer
  body: Record<string, unknown>
}

function jsonIn(bytes: Buffer, { contentType, fail }: { contentType: string; fail: Fail }): JsonReply | AttemptResult {
  const body = parseObject(bytes.toString('utf8'))
  if (body) return { bytes, body }
  const what = contentType.split(';')[0] || 'something that is not JSON'
  return fail(failure(502, `The upstream answered ${what} instead of JSON`, { code: 'bad_response_body' }))
}

async function followed(received: JsonReply, follow: NonNullable<Plan['follow']>): Promise<JsonReply> {
  const body = await follow(received.body)
  return body === received.body ? received : { bytes: Buffer.from(JSON.stringify(body)), body }
}

async function openStream(
  reply: UpstreamReply,
  { plan, reader, fail }: { plan: Plan; reader: ReplyReader; fail: Fail },
): Promise<AttemptResult> {
  const meter = new Meter()
  const rest = readPieces(reply, { plan, reader })
  const head: Piece[] = []
  let headBytes = 0
  for (;;) {
    const pieces = await rest.next()
    if (!pieces)
      return fail(failure(502, 'The upstream ended its stream before the first token', { code: 'empty_stream' }))
    for (const [index, piece] of pieces.entries()) {
      const error = errorIn(piece.steps)
      if (error) {
        rest.close()
        return fail(failureOf(error))
      }
      head.push(piece)
      headBytes += piece.event?.bytes.length ?? 0
      // An upstream that goes on without saying anything must not fill the memory.
      if (headBytes > EVENT_BYTES_MAX) {
        rest.close()
        throw new RangeError('An upstream says nothing at length')
      }
      meter.read(piece.steps)
      if (meter.started) {
        rest.putBack(pieces.slice(index + 1))
        return { kind: 'stream', head, rest, meter, firstTokenAt: Date.now(), ...natureOf(plan) }
      }
      if (piece.steps.some(({ kind }) => kind === 'end')) {
        rest.close()
        return fail(failure(502, 'The upstream sent an empty stream', { code: 'empty_stream' }))
      }
    }
  }
}

/**
 * A stream read to its end for a client that did not ask for one: some upstreams know nothing else. Where `isCovered` says
 * that nothing more can be paid, it ends as one that has come to its greatest length.
 */
async function aggregated(
  { head, rest, meter }: StreamReply,
  fail: Fail,
  isCovered: (() => Promise<boolean>) | undefined,
): Promise<AttemptResult> {
  const steps = head.flatMap((piece) => piece.steps)
  let ended = steps.some(({ kind }) => kind === 'end')
  let bytes = 0
  while (!ended) {
    const pieces = await rest.next()
    if (!pieces) break
    for (const { event } of pieces) bytes += event?.bytes.length ?? 0
    if (bytes > REPLY_BYTES_MAX) {
      rest.close()
      throw new RangeError('The upstream reply is too large')
    }
    const said = pieces.flatMap((piece) => piece.steps)
    const error = errorIn(said)
    if (error) {
      rest.close()
      return fail(failureOf(error))
    }
    meter.read(said)
    steps.push(...said)
    ended = said.some(({ kind }) => kind === 'end')
    if (!ended && isCovered && !(await isCovered())) {
      // What was reported so far is not of all that was said.
      meter.usage = undefined
      steps.push({ kind: 'stop', reason: 'length' }, { kind: 'end' })
      ended = true
    }
  }
  rest.close()
  if (!ended && !meter.finished) {
    return fail(failure(502, 'The upstream broke off its answer', { code: 'upstream_broke' }))
  }
  return { kind: 'whole', bytes: Buffer.alloc(0), body: {}, steps, meter, native: false, renamesModel: false }
}

export function errorIn(steps: readonly ReplyEvent[]): ReplyError | undefined {
  for (const step of steps) if (step.kind === 'error') return step.error
  return undefined
}

/** What an upstream's error in a reply that began well amounts to. */
export function failureOf({ message, type, code, status }: ReplyError): Failure {
  const words = { type: type ?? 'upstream_error', code: code ?? null }
  return failure(status ?? (blamesRequest({ status: 200, ...words }) ? 400 : 502), message, words)
}

/** The beginning of an error body, which may be anything and endless. */
async function textOf({ body }: UpstreamReply): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for (let part = await body.read(); part && size <= ERROR_BYTES_MAX; part = await body.read()) {
    parts.push(part)
    size += part.length
  }
  body.destroy()
  return Buffer.concat(parts).toString('utf8')
}
