import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import { chooseLanguage } from '../../core/messages/messages.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { BY_USAGE, holdQuota } from '../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { type Admitted, admit } from './admission.ts'
import type { JsonReply, StreamReply } from './attempt.ts'
import { type Tried, tryChannels } from './attempts.ts'
import type { Caller } from './authenticate.ts'
import type { AnsweredRelay, End } from './charge.ts'
import { estimatePrompt } from './counting/prompt.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { asStream, deliverStream, endStream, STREAM_HEADERS } from './deliver.ts'
import { failureToWire, refusalToWire, type WireError } from './error.ts'
import { holdExtender } from './extend.ts'
import { Interruption } from './interruption.ts'
import { completionLimit, type Operation } from './operations.ts'
import { failure, presentable } from './providers/failure.ts'
import { asksForUsage } from './providers/openai.ts'
import { PROVIDERS } from './providers/providers.ts'
import { settleRelay } from './settle.ts'
import type { Upstream } from './upstream.ts'
import { usageToWire } from './usage.ts'

export const REQUEST_ID_HEADER = 'x-oneapi-request-id'

export interface RelayParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  upstream: Upstream
  tokenizer: Tokenizer
  config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs'>
  logger: Logger
}

export interface Relay {
  /** Serves one request, past Fastify: the answer is written to the socket. `known`: who asks, if no API key tells. */
  handle(operation: Operation, request: FastifyRequest, reply: FastifyReply, known?: Caller): Promise<void>
  /** Refuses what comes from now on, lets what runs go on for so long, ends the rest, and waits until all is charged. */
  stop(graceMs: number): Promise<void>
}

type Begun = Pick<AnsweredRelay, 'admitted' | 'hold' | 'served' | 'startedAt'>

/** The relay: admit → hold → attempts → deliver → settle → last byte. Every way out settles or releases the hold. */
export function createRelay(parts: RelayParts): Relay {
  const { toolkit, directory, upstream, tokenizer, config, logger } = parts
  const { options, ledger, pricing } = toolkit
  const settling = { ledger, pricing, tokenizer }
  const running = new Map<Interruption, Promise<void>>()
  let stopping = false

  async function run(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
    { interruption, known }: { interruption: Interruption; known: Caller | undefined },
  ) {
    const startedAt = Date.now()
    let hold: Hold | undefined
    try {
      if (stopping) throw new GatewayError('STOPPING')
      const admitted = await admit(request, operation, { toolkit, directory, known })
      hold = await holdFor(admitted)
      const retries = options.get(OPTIONS.RetryTimes)
      const served = await tryChannels(admitted, interruption, { upstream, config, retries, logger })
      if (!served || served.result.kind === 'cut') {
        if (interruption.cause === 'stopping') throw new GatewayError('STOPPING')
        return
      }
      if (served.result.kind === 'failure') return sendError(reply, failureToWire(served.result.failure, request.id))
      await answer(reply, served.result, { admitted, hold, served, startedAt }, interruption)
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ requestId: request.id, err: error }, 'relay failed')
      const language = chooseLanguage(request.headers['accept-language'], 'en')
      sendError(reply, refusalToWire(error, { requestId: request.id, language }))
    } finally {
      if (hold) ledger.release(hold)
    }
  }

  function completionTokens({ operation, body }: Admitted): number {
    return completionLimit(operation, body, options.get(OPTIONS.PreConsumedQuota))
  }

  async function holdFor(admitted: Admitted): Promise<Hold> {
    const { price, prompt, caller } = admitted
    const estimate = { promptTokens: estimatePrompt(prompt), completionTokens: completionTokens(admitted) }
    const budgetTokenId = caller.token.unlimited ? 0 : caller.token.id
    try {
      return await ledger.hold({ userId: caller.user.id, budgetTokenId, quota: holdQuota(price, estimate) })
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'INSUFFICIENT_TOKEN_QUOTA' && error.params.available === 0) {
        await toolkit.tokens.recordUnusable(caller.token.id)
      }
      throw error
    }
  }

  async function answer(
    reply: FastifyReply,
    result: JsonReply | StreamReply,
    begun: Begun,
    interruption: Interruption,
  ) {
    const { admitted, hold, served, startedAt } = begun
    const rename = PROVIDERS[served.channel.type.family].renamesModel ? admitted.model : undefined
    if (result.kind === 'json' && !admitted.stream) {
      const { meter } = result
      const relay = { admitted, hold, served, startedAt, firstTokenAt: undefined, meter, isStream: false }
      await settleRelay(relay, 'complete', settling)
      if (interruption.cause !== 'client-gone') sendJson(reply, result, { rename, requestId: admitted.requestId })
      return
    }
    await answerStream(reply, result.kind === 'json' ? asStream(result) : result, { begun, rename, interruption })
  }

  async function answerStream(
    { raw: response }: FastifyReply,
    stream: StreamReply,
    { begun, rename, interruption }: { begun: Begun; rename: string | undefined; interruption: Interruption },
  ) {
    const { admitted, hold, served, startedAt } = begun
    const { meter, firstTokenAt } = stream
    const { price, requestId, body, model } = admitted
    const wantsUsage = asksForUsage(body)
    response.writeHead(200, { ...STREAM_HEADERS, [REQUEST_ID_HEADER]: requestId })
    const { end, message } = await deliverStream(response, stream, {
      shape: { wantsUsage, rename },
      interruption,
      stallTimeoutMs: config.relayTimeoutMs,
      onProgress:
        price.modelPrice === BY_USAGE
          ? holdExtender({ ledger, hold, price, meter, coveredTokens: completionTokens(admitted), interruption })
          : () => undefined,
    })
    const reported = meter.usage !== undefined
    const relay = { admitted, hold, served, startedAt, firstTokenAt, meter, isStream: true }
    const usage = await settleRelay(relay, end, settling)
    if (end === 'complete') {
      const own = { id: requestId, object: 'chat.completion.chunk', created: unixSeconds(), model, choices: [] }
      const events = wantsUsage && !reported ? [{ ...own, usage: usageToWire(usage) }] : []
      endStream(response, { events, complete: true })
    } else {
      const wire = failureToWire(brokenStream(end, { message, served }), requestId)
      endStream(response, { events: [wire.body], complete: false })
    }
  }

  return {
    async handle(operation, request, reply, known) {
      reply.hijack()
      const interruption = new Interruption(reply.raw)
      const work = run(operation, request, reply, { interruption, known })
      running.set(interruption, work)
      await work.finally(() => running.delete(interruption))
    },
    async stop(graceMs) {
      stopping = true
      const finished = Promise.allSettled(running.values())
      const grace = new AbortController()
      const late = sleep(graceMs, undefined, { signal: grace.signal }).then(
        () => {
          for (const interruption of running.keys()) interruption.cut('stopping')
        },
        () => {}, // All was finished in time.
      )
      await finished
      grace.abort()
      await late
    },
  }
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

const BROKEN: Record<Exclude<End, 'complete'>, { text: string; code: string }> = {
  'upstream-broke': { text: 'The upstream broke off its answer', code: 'upstream_broke' },
  'client-gone': { text: 'The client has left', code: 'client_gone' },
  stopping: { text: 'The gateway is stopping', code: 'stopping' },
  quota: { text: 'Insufficient quota to go on', code: 'insufficient_user_quota' },
}

/** The last event of a stream that ended before its end, in place of `[DONE]`. */
function brokenStream(
  end: Exclude<End, 'complete'>,
  { message, served }: { message: string | undefined; served: Tried },
) {
  const { text, code } = BROKEN[end]
  return presentable(failure(502, message ?? text, { code }), served.channel)
}

function sendJson(
  { raw: response }: FastifyReply,
  { bytes, body }: JsonReply,
  { rename, requestId }: { rename: string | undefined; requestId: string },
): void {
  const payload = rename === undefined ? bytes : Buffer.from(JSON.stringify({ ...body, model: rename }))
  const headers = {
    'content-type': 'application/json',
    'content-length': payload.length,
    [REQUEST_ID_HEADER]: requestId,
  }
  response.writeHead(200, headers)
  response.end(payload)
}

/** An error in OpenAI's shape; a reply that has begun can only be broken off. */
export function sendError({ raw: response, request }: FastifyReply, { status, body }: WireError): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const payload = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(payload),
    [REQUEST_ID_HEADER]: request.id,
  })
  response.end(payload)
}
