import type { IncomingHttpHeaders } from 'node:http'
import { blamesRequest } from '../../../core/channels/health/blame.ts'
import type { Ready } from '../../../core/ready.ts'
import type { Coverage } from '../charging/extend.ts'
import { Meter } from '../charging/meter.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { endpointReader, piecesMade, reportedUsage } from '../endpoints/reader.ts'
import { parseObject } from '../json.ts'
import { failure } from '../providers/failure.ts'
import type { Ask, Failure, Plan, Provider, ReplyReader } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { type Piece, type Pieces, readPieces } from '../transport/pieces.ts'
import { type ReplyShare, withShare } from '../transport/reply-budget.ts'
import { EVENT_BYTES_MAX } from '../transport/sse.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'
import { retryAfter } from './retry-after.ts'

const ERROR_BYTES_MAX = 64 * 1024
/** Of a whole reply. */
export const REPLY_BYTES_MAX = 256 * 1024 * 1024

/** How a reply goes to the client. */
interface ReplyNature {
  native: boolean
  renamesModel: boolean
  /** The client's fields of tools that the upstream does not have. */
  omitted?: readonly string[] | undefined
  /** Of a native reply: the upstream's. */
  headers?: IncomingHttpHeaders
}
/** A whole reply that arrived. */
export interface WholeReply extends ReplyNature {
  kind: 'whole'
  /** As it arrived; it may go to the client so when `native`. */
  bytes: Buffer
  body: Record<string, unknown>
  /** What it says; nothing for operations other than `chat`. */
  steps: ReplyEvent[]
  meter: Meter
}
/** A stream whose first token has arrived: nothing of it has gone to the client yet. */
export interface StreamReply extends ReplyNature {
  kind: 'stream'
  /** Pieces up to and including the first that says something. */
  head: Piece[]
  rest: Pieces
  meter: Meter
  /** Milliseconds since the epoch. */
  firstTokenAt: number
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
/** An attempt whose reply is read. */
export interface Answering {
  readonly ask: Ask
  readonly plan: Plan
  readonly provider: Provider
  readonly coverage: Coverage | undefined
  fail(failure: Failure): AttemptResult
}

/** Whether a reply is a conversation's JSON, which is read as a whole: by `readWhole`. */
export function isWhole({ statusCode, headers }: UpstreamReply, { ask, plan }: Answering): boolean {
  if (statusCode < 200 || statusCode > 299 || !plan.reader || plan.follow) return false
  return !isStream(String(headers['content-type'] ?? ''), { ask, plan })
}

/** Reads any other reply, up to the point where something could go to the client. Rejects for what breaks it. */
export async function openReply(reply: UpstreamReply, attempt: Answering): Promise<AttemptResult> {
  const { ask, plan, coverage } = attempt
  const { statusCode, headers } = reply
  if (statusCode < 200 || statusCode > 299) return openFailure(reply, attempt)
  const contentType = String(headers['content-type'] ?? '')
  if (!plan.reader) {
    if (!contentType.startsWith('text/event-stream')) return openOther(reply, attempt)
    return openStream(reply, { plan: { ...plan, native: true }, reader: endpointReader(ask.operation), attempt })
  }
  if (!isStream(contentType, { ask, plan })) {
    return readWhole(await reply.body.whole(REPLY_BYTES_MAX), { reply, attempt, follow: plan.follow })
  }
  const opened = await openStream(reply, { plan, reader: plan.reader, attempt })
  if (ask.stream || opened.kind !== 'stream') return opened
  return withShare((share) => aggregated(opened, { attempt, share, isCovered: coverage?.(opened.meter) }))
}

async function openFailure(reply: UpstreamReply, attempt: Answering): Promise<AttemptResult> {
  const { statusCode, headers } = reply
  const text = await textOf(reply)
  const retryAfterMs = retryAfter(headers, text, Date.now())
  const upstreamRequestId = REQUEST_ID_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string')
  return attempt.fail({
    ...attempt.provider.failure(statusCode, text, headers),
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

/** Reads a conversation's JSON reply; `follow` asks on for one that is not whole yet, which makes it a promise. */
export function readWhole(
  bytes: Buffer,
  { reply, attempt }: { reply: UpstreamReply; attempt: Answering },
): AttemptResult
export function readWhole(
  bytes: Buffer,
  parts: { reply: UpstreamReply; attempt: Answering; follow: Plan['follow'] },
): Ready<AttemptResult>
export function readWhole(
  bytes: Buffer,
  { reply, attempt, follow }: { reply: UpstreamReply; attempt: Answering; follow?: Plan['follow'] },
): Ready<AttemptResult> {
  const received = jsonIn(bytes, { reply, attempt })
  if ('kind' in received) return received
  return follow ? followed(received, follow).then((whole) => interpret(whole, attempt)) : interpret(received, attempt)
}

function interpret({ bytes, body }: JsonReply, attempt: Answering): AttemptResult {
  const { plan } = attempt
  const steps = plan.reader?.whole(body) ?? []
  // What a family's reader does not know for an error may be one of a hub or a proxy before the upstream.
  const error = errorIn(steps) ?? (isReplyError(body) ? replyError(body) : undefined)
  if (error) return attempt.fail(failureOf(error))
  if (!steps.some(isReadable)) return attempt.fail(saidNothing())
  const meter = new Meter()
  meter.read(steps)
  const { native = false, renamesModel = false } = plan
  return { kind: 'whole', bytes, body, steps, meter, native, renamesModel }
}

/** JSON that is no reply says nothing of the kind. */
function isReadable(step: ReplyEvent): boolean {
  if (step.kind === 'start') return step.id !== undefined || step.model !== undefined
  return step.kind !== 'usage' && step.kind !== 'end'
}

const saidNothing = () => failure(502, 'The upstream sent an empty answer', { code: 'bad_response_body' })

/** Operations other than conversations: JSON in OpenAI's shape, or bytes that pass. */
async function openOther(reply: UpstreamReply, attempt: Answering): Promise<AttemptResult> {
  const { plan } = attempt
  const { operation } = attempt.ask
  const contentType = String(reply.headers['content-type'] ?? '')
  const meterOf = (body: Record<string, unknown>) => {
    const meter = new Meter()
    meter.usage = reportedUsage(operation, body)
    meter.made = piecesMade(operation, body)
    return meter
  }
  if (plan.bytes && !contentType.includes('json')) {
    if (!plan.convertBytes) {
      const first = await reply.body.read()
      return first ? { kind: 'bytes', contentType, first, reply } : attempt.fail(saidNothing())
    }
    const received = await reply.body.whole(REPLY_BYTES_MAX)
    if (received.length === 0) return attempt.fail(saidNothing())
    const body = plan.convertBytes(received, contentType)
    return { kind: 'whole', bytes: Buffer.from(JSON.stringify(body)), body, steps: [], meter: meterOf(body), ...NATIVE }
  }
  const received = jsonIn(await reply.body.whole(REPLY_BYTES_MAX), { reply, attempt })
  if ('kind' in received) return received
  const read = plan.follow ? await followed(received, plan.follow) : received
  const error = isReplyError(read.body) ? replyError(read.body) : undefined
  if (error) return attempt.fail(failureOf(error))
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

function jsonIn(
  bytes: Buffer,
  { reply, attempt }: { reply: UpstreamReply; attempt: Answering },
): JsonReply | AttemptResult {
  const body = parseObject(bytes.toString('utf8'))
  if (body) return { bytes, body }
  const what = String(reply.headers['content-type'] ?? '').split(';')[0] || 'something that is not JSON'
  return attempt.fail(failure(502, `The upstream answered ${what} instead of JSON`, { code: 'bad_response_body' }))
}

async function followed(received: JsonReply, follow: NonNullable<Plan['follow']>): Promise<JsonReply> {
  const body = await follow(received.body)
  return body === received.body ? received : { bytes: Buffer.from(JSON.stringify(body)), body }
}

async function openStream(
  reply: UpstreamReply,
  { plan, reader, attempt }: { plan: Plan; reader: ReplyReader; attempt: Answering },
): Promise<AttemptResult> {
  const meter = new Meter()
  const rest = readPieces(reply, { plan, reader })
  const head: Piece[] = []
  let headBytes = 0
  for (;;) {
    const pieces = await rest.next()
    if (!pieces)
      return attempt.fail(
        failure(502, 'The upstream ended its stream before the first token', { code: 'empty_stream' }),
      )
    for (const [index, piece] of pieces.entries()) {
      const error = errorIn(piece.steps)
      if (error) {
        rest.close()
        return attempt.fail(failureOf(error))
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
        return attempt.fail(failure(502, 'The upstream sent an empty stream', { code: 'empty_stream' }))
      }
    }
  }
}

/** A stream read to its end for a client that did not ask for one. It ends with `length` where `isCovered` says that nothing is left. */
async function aggregated(
  { head, rest, meter }: StreamReply,
  {
    attempt,
    share,
    isCovered,
  }: { attempt: Answering; share: ReplyShare; isCovered: (() => Promise<boolean>) | undefined },
): Promise<AttemptResult> {
  const steps = head.flatMap((piece) => piece.steps)
  let ended = steps.some(({ kind }) => kind === 'end')
  let bytes = 0
  while (!ended) {
    const pieces = await rest.next()
    if (!pieces) break
    for (const { event } of pieces) bytes += event?.bytes.length ?? 0
    if (bytes > REPLY_BYTES_MAX || !share.covers(bytes)) {
      rest.close()
      throw new RangeError('The upstream reply is too large')
    }
    const said = pieces.flatMap((piece) => piece.steps)
    const error = errorIn(said)
    if (error) {
      rest.close()
      return attempt.fail(failureOf(error))
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
    return attempt.fail(failure(502, 'The upstream broke off its answer', { code: 'upstream_broke' }))
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
