import type { FastifyReply } from 'fastify'
import type { Config } from '../../../core/config.ts'
import type { Language } from '../../../core/messages/language.ts'
import { BY_USAGE, type Usage } from '../../../core/pricing/prices.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { type Keep, KeptPieces } from '../admission/idempotency.ts'
import { type Answered, type BytesReply, failureOf, type StreamReply, type WholeReply } from '../attempt/attempt.ts'
import { saidBy } from '../attempt/client-words.ts'
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
import { OMITTED_HEADER } from '../hosted/omitted.ts'
import type { CreatedBy } from '../hosted/store-created.ts'
import { countOf } from '../json.ts'
import { failure, presentable, withoutOwnSecrets } from '../providers/failure.ts'
import type { Tried } from '../routing/attempts.ts'
import type { Pieces } from '../transport/pieces.ts'
import { deliverStream, endApart, STREAM_HEADERS, write } from './deliver.ts'
import { failureError, GATEWAY_ERROR } from './error.ts'
import { CLIENT_GONE } from './failed-relay.ts'
import type { Interruption } from './interruption.ts'
import { passingOutlet, rawOutlet, type StreamOutlet, writingOutlet } from './outlets.ts'
import { writeReplyHead } from './reply-head.ts'
import { thinkingToContent } from './thinking.ts'

export interface AnswerParts extends Pick<Toolkit, 'ledger' | 'pricing'> {
  tokenizer: Tokenizer
  config: Pick<Config, 'relayTimeoutMs'>
  interruption: Interruption
  language: Language
  /** Keeps a whole reply that was charged, before the client gets it: for requests under an idempotency key. */
  keep?: Keep
  /** Writes down what a reply has created at the upstream: the client may name it as soon as the reply has ended. */
  store(relay: CreatedBy): Promise<void>
  /** Hears why a reply that had begun did not become whole. */
  onBroken(error: Pick<RelayError, 'status' | 'code' | 'message'>): void
  /** Whether streams are read to their end when their client disconnects. */
  completesAfterDisconnect: boolean
}

export type Begun = Pick<
  AnsweredRelay,
  'admitted' | 'hold' | 'coveredTokens' | 'hidesReasoning' | 'served' | 'startedAt'
>

/** Brings an upstream's reply to the client, and charges it before its last byte. */
export function answer(reply: FastifyReply, result: Answered, begun: Begun, parts: AnswerParts): Promise<void> {
  if (result.kind === 'bytes') return answerBytes(reply, result, begun, parts)
  const { admitted } = begun
  if (result.kind === 'stream') return answerStream(reply, result, begun, parts)
  // Pictures that were to come piece by piece are answered as a whole by upstreams that cannot do it.
  if (admitted.stream && admitted.entry.operation === 'chat') return answerStream(reply, asStream(result), begun, parts)
  return answerWhole(reply, result, begun, parts)
}

async function answerWhole(
  { raw: response }: FastifyReply,
  result: WholeReply,
  begun: Begun,
  parts: AnswerParts,
): Promise<void> {
  const { admitted } = begun
  const { meter } = result
  const relay = { ...begun, firstTokenAt: undefined, meter, isStream: false }
  const storing = meter.stored && parts.store(relay)
  const usage = await settleRelay(relay, 'complete', parts)
  if (storing) await storing
  const isGone = () => parts.interruption.isDisconnected
  if (isGone()) parts.onBroken(CLIENT_GONE)
  if (isGone() && !parts.keep) return
  const payload = wholeBytes(result, usage, begun)
  if (parts.keep) {
    await parts.keep({ contentType: 'application/json', body: payload })
    if (isGone()) return
  }
  const { requestId, entry } = admitted
  const headers = { 'content-length': payload.length, ...omittedHeader(result) }
  writeReplyHead(response, { operation: entry.operation, contentType: 'application/json', requestId, headers })
  response.end(payload)
}

function wholeBytes(result: WholeReply, usage: Usage, begun: Begun): Buffer {
  const { admitted } = begun
  const dialect = DIALECTS[admitted.entry.dialect]
  const { translate, operation } = admitted.entry
  if (translate) return Buffer.from(JSON.stringify(translate.reply(result.body)))
  if (passesAs(result, begun)) {
    return result.renamesModel
      ? Buffer.from(JSON.stringify(dialect.renamed(result.body, admitted.model)))
      : result.bytes
  }
  if (operation !== 'chat') return result.bytes
  const steps = transformOf(begun)(result.steps)
  return Buffer.from(JSON.stringify(dialect.whole(collect(steps), usage, contextOf(begun, result))))
}

function omittedHeader({ omitted }: Pick<WholeReply, 'omitted'>): Record<string, string> {
  return omitted?.length ? { [OMITTED_HEADER]: omitted.slice(0, OMITTED_MAX).join(', ') } : {}
}
/** Clients accept headers of 8 KB or more. */
const OMITTED_MAX = 64

/** Whether the upstream's own bytes go to the client. */
function passesAs({ native }: { native: boolean }, { served }: Begun): boolean {
  const { forceFormat, thinkingToContent: thinking } = served.channel.settings
  return native && !forceFormat && !thinking
}

function transformOf({ served }: Begun): (steps: readonly ReplyEvent[]) => readonly ReplyEvent[] {
  return served.channel.settings.thinkingToContent ? thinkingToContent() : (steps) => steps
}

function contextOf({ admitted, startedAt }: Begun, { renamesModel }: { renamesModel: boolean }): ReplyContext {
  const { requestId, model, body, query, prompt } = admitted
  const created = Math.floor(startedAt / 1000)
  return { requestId, model, created, body, query, renamesModel, promptTokens: estimatePrompt(prompt, model) }
}

async function answerStream(
  { raw: response }: FastifyReply,
  stream: StreamReply,
  begun: Begun,
  parts: AnswerParts,
): Promise<void> {
  const { admitted, hold, coveredTokens, served } = begun
  const { interruption, ledger, config } = parts
  const { meter, firstTokenAt } = stream
  const { price, requestId } = admitted
  const context = contextOf(begun, stream)
  const outlet = outletOf(stream, begun, context)
  const { operation } = admitted.entry
  const headers = stream.omitted ? { ...STREAM_HEADERS, ...omittedHeader(stream) } : STREAM_HEADERS
  writeReplyHead(response, { operation, contentType: outlet.contentType, requestId, headers })
  const isByUsage = price.modelPrice === BY_USAGE
  const { end, isRead, error, held } = await deliverStream(response, stream, {
    outlet,
    interruption,
    stallTimeoutMs: config.relayTimeoutMs,
    choices: choicesOf(admitted),
    hold: isByUsage ? holdExtender({ ledger, hold, price, meter, coveredTokens, interruption }) : undefined,
    completes: isByUsage && parts.completesAfterDisconnect,
  })
  concludeHealth(begun, isRead ? 'complete' : end, error)
  const reported = meter.usage !== undefined
  const storing = meter.stored && parts.store({ ...begun, meter })
  const usage = await settleRelay({ ...begun, firstTokenAt, meter, isStream: true, isRead }, end, parts)
  if (storing) await storing
  if (end === 'complete' && !response.destroyed) {
    response.end(outlet.end(held, usage, reported))
    return
  }
  const failed = brokenStream(end === 'complete' ? 'client-gone' : end, { message: error?.message, served })
  const told = failureError(failed, { requestId, language: parts.language })
  parts.onBroken(end === 'complete' || end === 'client-gone' ? CLIENT_GONE : told)
  if (!response.destroyed) await endApart(response, outlet.broken(told))
}

/** A stream is a success of its upstream only when it has ended well; who else ended it is no fault of it. */
function concludeHealth({ served, admitted }: Pick<Begun, 'served' | 'admitted'>, end: End, error?: ReplyError): void {
  const { health, channel, upstreamModel } = served
  if (end === 'complete') health.succeeded()
  else if (end === 'upstream-broke') {
    const { text, code } = BROKEN[end]
    const found = error ? failureOf({ ...error, code: error.code ?? code }) : failure(502, text, { code })
    health.failed(presentable(found, channel), () => saidBy(admitted, [admitted.model, upstreamModel]))
  } else health.abandoned()
}

function choicesOf({ entry, body }: Admitted): number {
  return entry.operation === 'chat' ? DIALECTS[entry.dialect].limit(body).choices : countOf(body.n) || 1
}

function outletOf(stream: StreamReply, begun: Begun, context: ReplyContext): StreamOutlet {
  const { entry } = begun.admitted
  const dialect = DIALECTS[entry.dialect]
  if (entry.operation !== 'chat') return rawOutlet(dialect)
  return passesAs(stream, begun) ? passingOutlet(dialect, context) : writingOutlet(dialect, context, transformOf(begun))
}

/** A whole reply for a client that asked for a stream: one piece, with all its steps. */
function asStream(result: WholeReply): StreamReply {
  const { steps, meter } = result
  // It ended, so it is whole, whether or not it says why it stopped.
  const last = steps.at(-1)?.kind === 'end' ? steps : [...steps, { kind: 'end' as const }]
  return {
    kind: 'stream',
    head: [{ event: undefined, steps: last }],
    rest: NOTHING,
    meter,
    firstTokenAt: Date.now(),
    native: false,
    renamesModel: false,
    omitted: result.omitted,
  }
}

const NOTHING: Pieces = { next: async () => undefined, flow: async () => {}, putBack() {}, close() {} }

/** Bytes pass as they come; the last of them wait for the charge, whose size the request alone has told. */
async function answerBytes(
  { raw: response }: FastifyReply,
  { contentType: type, first, reply }: BytesReply,
  begun: Begun,
  parts: AnswerParts,
): Promise<void> {
  const { interruption, config } = parts
  const contentType = withoutOwnSecrets(type, begun.served.channel)
  const { requestId, entry } = begun.admitted
  writeReplyHead(response, { operation: entry.operation, contentType, requestId })
  let end: End = 'complete'
  let waiting: Buffer = first
  const sent = new KeptPieces(parts.keep !== undefined)
  try {
    for await (const piece of reply.body) {
      if (interruption.cause) break
      sent.add(waiting)
      await write(response, waiting, { interruption, stallTimeoutMs: config.relayTimeoutMs })
      waiting = piece
    }
  } catch {
    end = 'upstream-broke'
  }
  end = interruption.cause ?? end
  concludeHealth(begun, end)
  await settleRelay({ ...begun, firstTokenAt: undefined, meter: new Meter(), isStream: false }, end, parts)
  if (end === 'complete') {
    sent.add(waiting)
    await parts.keep?.({ contentType, body: sent.whole() })
  }
  if (end === 'complete') {
    response.end(waiting)
    return
  }
  // The client must not take it for whole.
  response.destroy()
  parts.onBroken(end === 'client-gone' ? CLIENT_GONE : brokenStream(end, { message: undefined, served: begun.served }))
}

const BROKEN: Record<Exclude<End, 'complete'>, { text: string; code: string }> = {
  'upstream-broke': { text: 'The upstream broke off its answer', code: 'upstream_broke' },
  'client-gone': { text: 'The client has left', code: 'client_gone' },
  stopping: { text: 'The gateway is stopping', code: 'stopping' },
  quota: { text: 'Insufficient quota to go on', code: 'insufficient_user_quota' },
}

/** Why a stream ended before its end, for its client. */
function brokenStream(
  end: Exclude<End, 'complete'>,
  { message, served }: { message: string | undefined; served: Tried },
) {
  const { text, code } = BROKEN[end]
  const type = end === 'upstream-broke' ? 'upstream_error' : GATEWAY_ERROR
  return presentable(failure(502, message ?? text, { code, type }), served.channel)
}
