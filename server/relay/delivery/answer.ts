import type { ServerResponse } from 'node:http'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import type { Language } from '../../../core/messages/language.ts'
import { type FailureName, failureMessage } from '../../../core/messages/reasons.ts'
import { BY_USAGE, type Usage } from '../../../core/pricing/prices.ts'
import { isRecord } from '../../../core/records.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import type { HeaderList } from '../../header-list.ts'
import type { Admitted } from '../admission/admission.ts'
import { ReplyRecorder, type StoreOutcome } from '../admission/idempotency.ts'
import {
  type BufferedReply,
  type BytesReply,
  replyFailureOf,
  type StreamReply,
  type UpstreamAnswer,
} from '../attempt/open-reply.ts'
import { requestEchoOf } from '../attempt/request-echo.ts'
import type { AnsweredRelay, End } from '../charging/charge.ts'
import { holdExtender } from '../charging/extend.ts'
import { Meter } from '../charging/meter.ts'
import { settleRelay } from '../charging/settle.ts'
import { collect } from '../conversation/collect.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { estimatePrompt } from '../counting/prompt.ts'
import type { Tokenizer } from '../counting/tokenizer.ts'
import type { RelayError, ReplyContext } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { storedFields } from '../dialects/openai-responses/passing.ts'
import { OMITTED_HEADER, omittedValue } from '../hosted/omitted.ts'
import { countOf, type Json } from '../json.ts'
import { bytesWithoutKey, createFailure, toClientFailure, withoutChannelSecrets } from '../providers/failure.ts'
import type { ResponseKeeper } from '../responses-store/keeper.ts'
import type { LastAttempt } from '../routing/attempts.ts'
import { ENDED_READER } from '../transport/chunks.ts'
import { deliveredWhole, deliverStream, endApart, STREAM_HEADERS, write } from './deliver.ts'
import { failureError, GATEWAY_ERROR } from './error.ts'
import { CLIENT_GONE } from './failed-relay.ts'
import type { Interruption } from './interruption.ts'
import { forwardingWriter, rawWriter, type StreamWriter, translatingWriter } from './outlets.ts'
import { passedHeaders } from './passed-headers.ts'
import { writeReplyHead } from './reply-head.ts'
import { thinkingToContent } from './thinking.ts'

/** A relay with an upstream's reply, and the data for its delivery to the client. */
export interface AnswerableRelay extends AnsweredRelay {
  // These properties are set while the reply is read.
  meter: Meter
  firstTokenAt: number | undefined
  isStream: boolean
  isDelivered: boolean
  completedAfterDisconnect: boolean | undefined

  readonly response: ServerResponse
  readonly interruption: Interruption
  readonly language: Language
  readonly toolkit: Pick<Toolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer }
  readonly stallTimeoutMs: number
  /** Stores a complete, charged reply before the client gets it. Set only for requests with an idempotency key. */
  readonly storeOutcome: StoreOutcome | undefined
  /** Stores a reply of the Responses API. Null for other formats. */
  readonly responseKeeper: ResponseKeeper | null
  /** Whether a stream is read to its end after its client has disconnected. */
  readonly completesAfterDisconnect: boolean
  /**
   * Records the objects that a reply created at the upstream. The client may use them as soon as the reply has ended.
   */
  storeCreated(): Promise<void>
  /**
   * Resolves when reasoning for the client's next request is stored, because another process may serve that request.
   * Returns undefined if nothing is pending.
   */
  writingThoughts(): Promise<unknown> | undefined
  /**
   * Headers with the client's limits, if any. They replace the upstream's headers, which describe the operator's
   * account.
   */
  readonly limitHeaders: HeaderList | undefined
  /** Records the error that interrupted a reply after its beginning. */
  record(error: Pick<RelayError, 'status' | 'code' | 'message'>): void
}

/** Whether a reply is sent as one JSON document. */
export function isAnsweredAsDocument(
  result: UpstreamAnswer,
  { entry, stream }: Pick<Admitted, 'entry' | 'stream'>,
): result is BufferedReply {
  // If the upstream did not stream, operations other than `chat` reply with one document, even if the client requested
  // a stream. Some upstreams do not stream images.
  return result.kind === 'whole' && !(stream && entry.operation === 'chat')
}

/** Sends a reply that is not one JSON document, and charges it before its last byte is sent. */
export function answerStreamed(relay: AnswerableRelay, result: UpstreamAnswer): Promise<void> {
  if (result.kind === 'bytes') return answerBytes(relay, result)
  return answerStream(relay, result.kind === 'stream' ? result : asStream(result))
}

/** Charges a complete reply. Resolves with the usage when the reply may be sent. */
export function chargeBuffered(relay: AnswerableRelay, { meter }: BufferedReply): Promise<Usage> {
  relay.meter = meter
  relay.firstTokenAt = undefined
  relay.isStream = false
  const settling = settleRelay(relay, 'complete', relay.toolkit)
  const storing = meter.stored && relay.storeCreated()
  const writing = relay.writingThoughts()
  return storing || writing ? Promise.all([settling, storing, writing]).then(([usage]) => usage) : settling
}

/** Sends a complete, charged reply in one write. */
export function sendBuffered(relay: AnswerableRelay, result: BufferedReply, payload: Buffer): void {
  const { requestId, entry } = relay.admitted
  writeReplyHead(relay.response, {
    operation: entry.operation,
    contentType: 'application/json',
    requestId,
    headers: headersOf(relay, result, ['content-length', payload.length]),
  })
  relay.response.end(payload)
}

/**
 * Returns the bytes of a complete reply for its client. Passes a reply of the Responses API to its keeper, which stores
 * the reply later.
 */
export function wholeBytes(relay: AnswerableRelay, result: BufferedReply, usage: Usage): Buffer {
  return bytesWithoutKey(replyBytes(relay, result, usage), relay.served.channel)
}

function replyBytes(relay: AnswerableRelay, result: BufferedReply, usage: Usage): Buffer {
  const { admitted } = relay
  const dialect = DIALECTS[admitted.entry.dialect]
  const { translate, operation } = admitted.entry
  if (translate) return Buffer.from(JSON.stringify(translate.reply(result.body)))
  const counted = withCountedUsage(result.body, operation, usage)
  const storage = storageContext(relay)
  if (forwardsBytes(result, relay)) {
    const body = result.renamesModel ? dialect.withModelName(counted, admitted.model) : counted
    const stored = storedFields(body, storage)
    const finalBody = stored ? { ...body, ...stored } : body
    storage.store?.(finalBody)
    return finalBody === result.body ? result.bytes : Buffer.from(JSON.stringify(finalBody))
  }
  if (operation !== 'chat') return counted === result.body ? result.bytes : Buffer.from(JSON.stringify(counted))
  const events = transformOf(relay)(result.events)
  return Buffer.from(JSON.stringify(dialect.whole(collect(events), usage, contextOf(relay, result, storage))))
}

/** Operations whose replies always have a usage in OpenAI's or Jina's format. */
const USAGE_OPERATIONS = new Set<Operation>(['embeddings', 'rerank'])

/** Returns the body with the charged tokens as usage if it has none, because clients require the field. */
function withCountedUsage(body: Json, operation: Operation, { promptTokens, completionTokens }: Usage): Json {
  if (!USAGE_OPERATIONS.has(operation) || isRecord(body.usage)) return body
  return { ...body, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens + completionTokens } }
}

function headersOf(
  { limitHeaders }: AnswerableRelay,
  { omitted, headers: received }: Pick<BufferedReply, 'omitted' | 'headers'>,
  firstHeaders: HeaderList,
): HeaderList {
  const headers = firstHeaders.concat(limitHeaders ?? passedHeaders(received))
  if (omitted?.length) headers.push(OMITTED_HEADER, omittedValue(omitted))
  return headers
}
/** Whether the upstream's bytes are forwarded to the client. */
function forwardsBytes({ native }: { native: boolean }, { served }: AnsweredRelay): boolean {
  const { forceFormat, thinkingToContent: thinking } = served.channel.settings
  return native && !forceFormat && !thinking
}

function transformOf({ served }: AnsweredRelay): (events: readonly ReplyEvent[]) => readonly ReplyEvent[] {
  return served.channel.settings.thinkingToContent ? thinkingToContent() : (events) => events
}

type StorageContext = Pick<ReplyContext, 'continuedFrom' | 'store'>

/**
 * Returns the storage context of a reply of the Responses API: a function that accepts the response to store, and the
 * previous response. Returns an empty object for other formats.
 */
function storageContext({ responseKeeper: keeper, admitted, served }: AnswerableRelay): StorageContext {
  if (!keeper) return NO_STORAGE
  const { continued } = keeper
  return {
    ...(continued?.isExpanded && { continuedFrom: continued }),
    ...(keeper.keeps(admitted, served) && { store: (response: Json) => keeper.take(response) }),
  }
}
const NO_STORAGE: StorageContext = {}

function contextOf(
  { admitted, startedAt }: AnsweredRelay,
  { renamesModel }: { renamesModel: boolean },
  storage: StorageContext,
): ReplyContext {
  const { requestId, model, body, query, prompt } = admitted
  const created = Math.floor(startedAt / 1000)
  return {
    requestId,
    model,
    created,
    body,
    query,
    renamesModel,
    ...storage,
    // Computed only on demand: few formats need the number, and a long prompt takes milliseconds.
    get promptTokens() {
      return estimatePrompt(prompt, model)
    },
  }
}

async function answerStream(relay: AnswerableRelay, stream: StreamReply): Promise<void> {
  const { admitted, hold, coveredTokens, served, response, interruption, toolkit } = relay
  const { meter } = stream
  relay.meter = meter
  relay.firstTokenAt = stream.firstTokenAt
  relay.isStream = true
  const { price, requestId } = admitted
  const storage = storageContext(relay)
  const context = contextOf(relay, stream, storage)
  const outlet = outletOf(stream, relay, context)
  const { operation } = admitted.entry
  const writeHead = () => {
    const headers = headersOf(relay, stream, STREAM_HEADERS)
    writeReplyHead(response, { operation, contentType: outlet.contentType, requestId, headers })
  }
  const isByUsage = price.modelPrice === BY_USAGE
  const extender = isByUsage
    ? holdExtender({ ledger: toolkit.ledger, hold, price, meter, coveredTokens, interruption })
    : undefined
  const whole = deliveredWhole(stream, { interruption, hold: extender, coveredTokens })
  relay.isDelivered = !whole
  if (!whole) writeHead()
  const { end, isRead, error, pendingTail } =
    whole ??
    (await deliverStream(response, stream, {
      outlet,
      interruption,
      stallTimeoutMs: relay.stallTimeoutMs,
      choices: choicesOf(admitted),
      hold: extender,
      completes: isByUsage && relay.completesAfterDisconnect,
    }))
  concludeHealth(relay, isRead ? 'complete' : end, error)
  const reported = meter.usage !== undefined
  relay.completedAfterDisconnect = isRead
  const storing = meter.stored && relay.storeCreated()
  const usage = await settleRelay(relay, end, toolkit)
  if (storing) await storing
  const writing = relay.writingThoughts()
  if (writing) await writing
  if (end === 'complete' && !response.destroyed) {
    const last = outlet.end(pendingTail, usage, reported)
    // Store the response before sending the end. After the end, the client may continue from the response, possibly at
    // another process.
    if (storage.store) await relay.responseKeeper?.store(relay)
    if (whole) writeHead()
    response.end(last)
    return
  }
  const failed = brokenStream(end === 'complete' ? 'client-gone' : end, { error, served })
  const clientError = failureError(failed, { requestId, language: relay.language })
  relay.record(end === 'complete' || end === 'client-gone' ? CLIENT_GONE : clientError)
  if (!response.destroyed) await endApart(response, outlet.broken(clientError))
}

/**
 * Reports the end of a reply to health: success if the reply is complete, failure if the upstream broke off. Otherwise
 * the attempt is abandoned, which counts as neither.
 */
function concludeHealth(
  { served, admitted }: Pick<AnsweredRelay, 'served' | 'admitted'>,
  end: End,
  error?: ReplyError,
): void {
  const { health, upstreamModel } = served
  if (end === 'complete') health.succeeded()
  else if (end === 'upstream-broke') {
    health.failed(brokenStream(end, { error, served }), () => requestEchoOf(admitted, [admitted.model, upstreamModel]))
  } else health.abandoned()
}

function choicesOf({ entry, body }: Admitted): number {
  return entry.operation === 'chat' ? DIALECTS[entry.dialect].limit(body).choices : countOf(body.n) || 1
}

function outletOf(stream: StreamReply, relay: AnsweredRelay, context: ReplyContext): StreamWriter {
  const { entry } = relay.admitted
  const dialect = DIALECTS[entry.dialect]
  if (entry.operation !== 'chat') return rawWriter(dialect)
  return forwardsBytes(stream, relay)
    ? forwardingWriter(dialect, context)
    : translatingWriter(dialect, context, transformOf(relay))
}

/** Converts a complete reply to a stream of one chunk, for a client that requested a stream. */
function asStream(result: BufferedReply): StreamReply {
  const { events, meter } = result
  // Add an end event, because the reply has arrived completely even if it has no stop reason.
  const last = events.at(-1)?.kind === 'end' ? events : [...events, { kind: 'end' as const }]
  return {
    kind: 'stream',
    head: [{ event: undefined, events: last }],
    isWhole: true,
    rest: ENDED_READER,
    meter,
    firstTokenAt: Date.now(),
    native: false,
    renamesModel: false,
    omitted: result.omitted,
    ...(result.headers && { headers: result.headers }),
  }
}

/** Forwards bytes as they arrive. The last chunk waits for the charge, which depends only on the request. */
async function answerBytes(relay: AnswerableRelay, { contentType: type, first, reply }: BytesReply): Promise<void> {
  const { interruption, response, served, storeOutcome, stallTimeoutMs } = relay
  const contentType = withoutChannelSecrets(type, served.channel)
  const { requestId, entry } = relay.admitted
  writeReplyHead(response, { operation: entry.operation, contentType, requestId })
  let end: End = 'complete'
  let pendingChunk = bytesWithoutKey(first, served.channel)
  const recorder = new ReplyRecorder(storeOutcome !== undefined)
  try {
    for await (const chunk of reply.body) {
      if (interruption.cause) break
      recorder.add(pendingChunk)
      await write(response, pendingChunk, { interruption, stallTimeoutMs })
      pendingChunk = bytesWithoutKey(chunk, served.channel)
    }
  } catch {
    end = 'upstream-broke'
  }
  end = interruption.cause ?? end
  concludeHealth(relay, end)
  relay.meter = new Meter()
  relay.isStream = false
  await settleRelay(relay, end, relay.toolkit)
  if (end === 'complete') {
    recorder.add(pendingChunk)
    await storeOutcome?.({ contentType, body: recorder.whole() })
    response.end(pendingChunk)
    return
  }
  // A truncated reply must not look complete.
  response.destroy()
  relay.record(end === 'client-gone' ? CLIENT_GONE : brokenStream(end, { error: undefined, served }))
}

const END_ERRORS = {
  'upstream-broke': { text: 'brokeOff', code: 'upstream_broke' },
  'client-gone': { text: 'clientGone', code: 'client_gone' },
  stopping: { text: 'stopping', code: 'stopping' },
  quota: { text: 'quotaUsedUp', code: 'insufficient_user_quota' },
} as const satisfies Record<Exclude<End, 'complete'>, { text: FailureName; code: string }>

/** Returns the failure for a reply that ended early. */
function brokenStream(
  end: Exclude<End, 'complete'>,
  { error, served }: { error: ReplyError | undefined; served: LastAttempt },
) {
  const { text, code } = END_ERRORS[end]
  // Keep the type and status of the upstream's error, because clients use them to decide whether to retry.
  if (end === 'upstream-broke' && error) {
    return toClientFailure(replyFailureOf({ ...error, code: error.code ?? code }), served.channel)
  }
  const type = end === 'upstream-broke' ? 'upstream_error' : GATEWAY_ERROR
  return toClientFailure(createFailure(502, failureMessage(text), { code, type }), served.channel)
}
