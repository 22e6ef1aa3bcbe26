import type { IncomingHttpHeaders } from 'node:http'
import { isRequestError } from '../../../core/channels/health/request-errors.ts'
import { parseObject } from '../../../core/input.ts'
import { failureMessage } from '../../../core/messages/reasons.ts'
import type { Ready } from '../../../core/ready.ts'
import type { Coverage } from '../charging/extend.ts'
import { Meter } from '../charging/meter.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { endpointReader, isResult, piecesOf, reportedUsage } from '../endpoints/reader.ts'
import { createFailure } from '../providers/failure.ts'
import type { Failure, Plan, Provider, ProviderRequest, ReplyReader } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { type ChunkReader, readChunks, type StreamChunk } from '../transport/chunks.ts'
import { type ReplyMemory, withReplyMemory } from '../transport/reply-budget.ts'
import { EVENT_BYTES_MAX } from '../transport/sse.ts'
import { type Flow, STOP, type UpstreamReply } from '../transport/upstream-reply.ts'
import { retryAfter } from './retry-after.ts'

const ERROR_BYTES_MAX = 64 * 1024
/** Maximum bytes of a complete reply. */
export const REPLY_BYTES_MAX = 256 * 1024 * 1024

/** Properties that determine how a reply is forwarded to the client. */
interface ReplyForwarding {
  native: boolean
  renamesModel: boolean
  /** Fields of the client's tools that were not sent to the upstream. */
  omitted?: readonly string[] | undefined
  /** The upstream's headers. Only a native reply has them. */
  headers?: IncomingHttpHeaders
}
/** A reply that has arrived completely. */
export interface BufferedReply extends ReplyForwarding {
  kind: 'whole'
  /** The received bytes. If `native`, they can be forwarded unchanged. */
  bytes: Buffer
  body: Record<string, unknown>
  /** The events of the reply. Empty for operations other than `chat`. */
  events: ReplyEvent[]
  meter: Meter
}
/** A stream whose first token has arrived. Nothing was sent to the client yet. */
export interface StreamReply extends ReplyForwarding {
  kind: 'stream'
  /** The chunks up to and including the chunk with the first token. If `isWhole`, all chunks. */
  head: StreamChunk[]
  /** Whether the end of the reply arrived together with the first token. */
  isWhole: boolean
  rest: ChunkReader
  meter: Meter
  /** Time of the first token in ms since the epoch. */
  firstTokenAt: number
}
/** A reply that is neither JSON nor events, such as audio. Its bytes are forwarded unchanged. */
export interface BytesReply {
  kind: 'bytes'
  contentType: string
  /** The first bytes of the reply. Never empty, because an empty reply is a failure. */
  first: Buffer
  reply: UpstreamReply
}
export type UpstreamAnswer = BufferedReply | StreamReply | BytesReply
export type AttemptResult = UpstreamAnswer | { kind: 'failure'; failure: Failure } | { kind: 'cut' }
/** An attempt whose reply is being read. */
export interface OpeningAttempt {
  readonly ask: ProviderRequest
  readonly plan: Plan
  readonly provider: Provider
  readonly coverage: Coverage | undefined
  fail(failure: Failure): AttemptResult
}

/** Whether `readWhole` can read a reply without a promise: a conversation's JSON that needs no `plan.complete`. */
export function isWhole({ statusCode, headers }: UpstreamReply, { ask, plan }: OpeningAttempt): boolean {
  if (statusCode < 200 || statusCode > 299 || !plan.reader || plan.complete) return false
  return !isStream(String(headers['content-type'] ?? ''), { ask, plan })
}

/**
 * Reads a reply for which `isWhole` is false. Resolves when the gateway can begin to reply to the client. Rejects if
 * the reply breaks off.
 */
export async function openReply(reply: UpstreamReply, attempt: OpeningAttempt): Promise<AttemptResult> {
  const { ask, plan, coverage } = attempt
  const { statusCode, headers } = reply
  if (statusCode < 200 || statusCode > 299) return openFailure(reply, attempt)
  const contentType = String(headers['content-type'] ?? '')
  if (!plan.reader) {
    if (!contentType.startsWith('text/event-stream')) return openEndpointReply(reply, attempt)
    return openStream(reply, { plan: { ...plan, native: true }, reader: endpointReader(ask.operation), attempt })
  }
  if (!isStream(contentType, { ask, plan })) {
    return readWhole(await reply.body.whole(REPLY_BYTES_MAX), { reply, attempt, complete: plan.complete })
  }
  const openedReply = await openStream(reply, { plan, reader: plan.reader, attempt })
  if (ask.stream || openedReply.kind !== 'stream') return openedReply
  return withReplyMemory((share) =>
    readToEnd(openedReply, { attempt, share, isCovered: coverage?.(openedReply.meter) }),
  )
}

async function openFailure(reply: UpstreamReply, attempt: OpeningAttempt): Promise<AttemptResult> {
  const { statusCode, headers } = reply
  const text = await readErrorBody(reply)
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

/**
 * Whether a reply is a stream. Server-sent events always are. Replies in another framing are streams if the client
 * requested a stream, or if the upstream always streams.
 */
function isStream(contentType: string, { ask, plan }: { ask: ProviderRequest; plan: Plan }): boolean {
  if (contentType.startsWith('text/event-stream')) return true
  return plan.framing !== undefined && plan.framing !== 'sse' && (ask.stream || plan.alwaysStreams === true)
}

/**
 * Reads the JSON reply of a conversation. With `complete`, returns a promise, because `complete` polls the upstream for
 * the final reply.
 */
export function readWhole(
  bytes: Buffer,
  { reply, attempt }: { reply: UpstreamReply; attempt: OpeningAttempt },
): AttemptResult
export function readWhole(
  bytes: Buffer,
  parts: { reply: UpstreamReply; attempt: OpeningAttempt; complete: Plan['complete'] },
): Ready<AttemptResult>
export function readWhole(
  bytes: Buffer,
  { reply, attempt, complete }: { reply: UpstreamReply; attempt: OpeningAttempt; complete?: Plan['complete'] },
): Ready<AttemptResult> {
  const received = jsonIn(bytes, { reply, attempt })
  if ('kind' in received) return received
  return complete
    ? completeReply(received, complete).then((whole) => interpret(whole, attempt))
    : interpret(received, attempt)
}

function interpret({ bytes, body }: JsonReply, attempt: OpeningAttempt): AttemptResult {
  const { plan } = attempt
  const events = plan.reader?.whole(body) ?? []
  // A proxy in front of the upstream may send errors that the family's reader does not recognize.
  const error = errorInEvents(events) ?? (isReplyError(body) ? replyError(body) : undefined)
  if (error) return attempt.fail(replyFailureOf(error))
  if (!events.some(showsReply) && !hasEnded(events)) return attempt.fail(emptyReplyFailure())
  const meter = new Meter()
  meter.read(events)
  const { native = false, renamesModel = false } = plan
  return { kind: 'whole', bytes, body, events, meter, native, renamesModel }
}

/** Whether an event shows that a JSON body is a reply, and not any other JSON. */
function showsReply(event: ReplyEvent): boolean {
  if (event.kind === 'start') return event.id !== undefined || event.model !== undefined
  // Some readers return `stop` for any JSON body.
  if (event.kind === 'stop') return event.reason !== 'stop'
  return event.kind !== 'usage' && event.kind !== 'end'
}

/** Whether a reply has a stop and a usage. The upstream has charged for such a reply even if it has no content. */
function hasEnded(events: readonly ReplyEvent[]): boolean {
  return events.some(({ kind }) => kind === 'stop') && events.some(({ kind }) => kind === 'usage')
}

const emptyReplyFailure = () => createFailure(502, failureMessage('emptyReply'), { code: 'bad_response_body' })

/** Reads the reply of an operation other than `chat`: JSON in OpenAI's format, or bytes that are forwarded. */
async function openEndpointReply(reply: UpstreamReply, attempt: OpeningAttempt): Promise<AttemptResult> {
  const { plan } = attempt
  const { operation } = attempt.ask
  const contentType = String(reply.headers['content-type'] ?? '')
  const meterOf = (body: Record<string, unknown>) => {
    const meter = new Meter()
    meter.usage = reportedUsage(operation, body)
    meter.pieces = piecesOf(operation, body)
    return meter
  }
  if (plan.mayBeBinary && !contentType.includes('json')) {
    if (!plan.convertBytes) {
      const first = await firstBytes(reply)
      if (!first) return attempt.fail(emptyReplyFailure())
      const error = errorInBytes(first)
      if (error) reply.body.destroy()
      return error ? attempt.fail(replyFailureOf(error)) : { kind: 'bytes', contentType, first, reply }
    }
    const received = await reply.body.whole(REPLY_BYTES_MAX)
    if (received.length === 0) return attempt.fail(emptyReplyFailure())
    const body = plan.convertBytes(received, contentType)
    return {
      kind: 'whole',
      bytes: Buffer.from(JSON.stringify(body)),
      body,
      events: [],
      meter: meterOf(body),
      ...NATIVE,
    }
  }
  const received = jsonIn(await reply.body.whole(REPLY_BYTES_MAX), { reply, attempt })
  if ('kind' in received) return received
  const completed = plan.complete ? await completeReply(received, plan.complete) : received
  const error = isReplyError(completed.body) ? replyError(completed.body, plan.errorStatus) : undefined
  if (error) return attempt.fail(replyFailureOf(error))
  const body = plan.convert ? plan.convert(completed.body) : completed.body
  if (!isResult(operation, body)) return attempt.fail(emptyReplyFailure())
  const bytes = body === completed.body ? completed.bytes : Buffer.from(JSON.stringify(body))
  return { kind: 'whole', bytes, body, events: [], meter: meterOf(body), ...forwardingOf({ ...plan, native: true }) }
}

const OBJECT_START = /^\s*\{/
const beginsObject = (bytes: Buffer): boolean => OBJECT_START.test(bytes.toString('latin1', 0, 64))
/** Maximum bytes of an error in JSON. */
const ERROR_IN_BYTES_MAX = 64 * 1024

/**
 * Returns the first bytes of audio or subtitles, or undefined if the body is empty. If these bytes look like JSON,
 * reads up to `ERROR_IN_BYTES_MAX`, because an error in JSON may arrive in parts.
 */
async function firstBytes({ body }: UpstreamReply): Promise<Buffer | undefined> {
  let first = await body.read()
  if (!first || !beginsObject(first)) return first
  while (first.length < ERROR_IN_BYTES_MAX) {
    const next = await body.read()
    if (!next) break
    first = Buffer.concat([first, next])
  }
  return first
}

/**
 * Returns the error that an upstream sent instead of audio or subtitles. Such an error may have the wrong content type.
 */
function errorInBytes(first: Buffer): ReplyError | undefined {
  const body = beginsObject(first) ? parseObject(first.toString('utf8')) : undefined
  return body && isReplyError(body) ? replyError(body) : undefined
}

const NATIVE = { native: true, renamesModel: false }

function forwardingOf({ native = false, renamesModel = false }: Plan) {
  return { native, renamesModel }
}

interface JsonReply {
  bytes: Buffer
  body: Record<string, unknown>
}

function jsonIn(
  bytes: Buffer,
  { reply, attempt }: { reply: UpstreamReply; attempt: OpeningAttempt },
): JsonReply | AttemptResult {
  const body = parseObject(bytes.toString('utf8'))
  if (body) return { bytes, body }
  const type = String(reply.headers['content-type'] ?? '').split(';')[0]
  const message = type ? failureMessage('otherType', { type }) : failureMessage('notJson')
  return attempt.fail(createFailure(502, message, { code: 'bad_response_body' }))
}

async function completeReply(received: JsonReply, complete: NonNullable<Plan['complete']>): Promise<JsonReply> {
  const body = await complete(received.body)
  return body === received.body ? received : { bytes: Buffer.from(JSON.stringify(body)), body }
}

async function openStream(
  reply: UpstreamReply,
  { plan, reader, attempt }: { plan: Plan; reader: ReplyReader; attempt: OpeningAttempt },
): Promise<AttemptResult> {
  const meter = new Meter()
  const rest = readChunks(reply, { plan, reader })
  const head: StreamChunk[] = []
  let headBytes = 0
  let result: AttemptResult | undefined
  const take = (chunks: readonly StreamChunk[]): Flow => {
    for (const [index, chunk] of chunks.entries()) {
      const error = errorInEvents(chunk.events)
      if (error) {
        rest.close()
        result = attempt.fail(replyFailureOf(error))
        return STOP
      }
      head.push(chunk)
      headBytes += chunk.event?.bytes.length ?? 0
      // Limit the memory that a stream without content can use.
      if (headBytes > EVENT_BYTES_MAX) throw new RangeError('The upstream sent too much data without content')
      meter.read(chunk.events)
      if (meter.started) {
        const others = chunks.slice(index + 1)
        const isWhole = others.some(hasEnd) && !others.some(({ events }) => errorInEvents(events))
        if (isWhole) {
          head.push(...others)
          for (const { events } of others) meter.read(events)
        } else rest.putBack(others)
        result = { kind: 'stream', head, isWhole, rest, meter, firstTokenAt: Date.now(), ...forwardingOf(plan) }
        return STOP
      }
      if (hasEnd(chunk)) {
        rest.close()
        result = attempt.fail(createFailure(502, failureMessage('emptyStream'), { code: 'empty_stream' }))
        return STOP
      }
    }
    return undefined
  }
  await rest.flow(take)
  return result ?? attempt.fail(createFailure(502, failureMessage('endedBeforeToken'), { code: 'empty_stream' }))
}

/**
 * Reads a stream to its end, for a client that requested no stream. If `isCovered` resolves to false, ends the reply
 * with the reason `length`.
 */
async function readToEnd(
  { head, rest, meter }: StreamReply,
  {
    attempt,
    share,
    isCovered,
  }: { attempt: OpeningAttempt; share: ReplyMemory; isCovered: (() => Promise<boolean>) | undefined },
): Promise<AttemptResult> {
  const events = head.flatMap((chunk) => chunk.events)
  let ended = events.some(({ kind }) => kind === 'end')
  let bytes = 0
  while (!ended) {
    const chunks = await rest.next()
    if (!chunks) break
    for (const { event } of chunks) bytes += event?.bytes.length ?? 0
    if (bytes > REPLY_BYTES_MAX || !share.covers(bytes)) {
      rest.close()
      throw new RangeError('The upstream reply is too large')
    }
    const newEvents = chunks.flatMap((chunk) => chunk.events)
    const error = errorInEvents(newEvents)
    if (error) {
      rest.close()
      return attempt.fail(replyFailureOf(error))
    }
    meter.read(newEvents)
    events.push(...newEvents)
    ended = newEvents.some(({ kind }) => kind === 'end')
    if (!ended && isCovered && !(await isCovered())) {
      // Drop the reported usage, because it does not cover all output so far.
      meter.usage = undefined
      events.push({ kind: 'stop', reason: 'length' }, { kind: 'end' })
      ended = true
    }
  }
  rest.close()
  if (!ended && !meter.finished) {
    return attempt.fail(createFailure(502, failureMessage('brokeOff'), { code: 'upstream_broke' }))
  }
  return { kind: 'whole', bytes: Buffer.alloc(0), body: {}, events, meter, native: false, renamesModel: false }
}

/** Whether a chunk has the end marker of the reply. */
export const hasEnd = ({ events }: StreamChunk): boolean => events.some(({ kind }) => kind === 'end')

export function errorInEvents(events: readonly ReplyEvent[]): ReplyError | undefined {
  for (const event of events) if (event.kind === 'error') return event.error
  return undefined
}

/** Converts an error inside a reply to a failure. */
export function replyFailureOf({ message, type, code, status }: ReplyError): Failure {
  const codes = { type: type ?? 'upstream_error', code: code ?? null }
  return createFailure(status ?? (isRequestError({ status: 200, ...codes }) ? 400 : 502), message, codes)
}

/** Reads the beginning of an error body, which can have any content type and length. */
async function readErrorBody({ body }: UpstreamReply): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for (let part = await body.read(); part && size <= ERROR_BYTES_MAX; part = await body.read()) {
    parts.push(part)
    size += part.length
  }
  body.destroy()
  return Buffer.concat(parts).toString('utf8')
}
