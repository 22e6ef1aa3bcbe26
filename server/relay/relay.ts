import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { Config } from '../../core/config.ts'
import { isDatabaseUnavailable } from '../../core/db/unavailable.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import { chooseLanguage } from '../../core/messages/language.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { RelayClaim } from '../../core/relay-outcomes.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { type Admitted, admit } from './admission.ts'
import { randomFor } from './affinity.ts'
import { answer } from './answer.ts'
import { type Tried, tryChannels } from './attempts.ts'
import type { Caller } from './authenticate.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { Spools } from './endpoints/spools.ts'
import type { Entry } from './entry.ts'
import { failureError, refusalError, sendError } from './error.ts'
import { coverageOf } from './extend.ts'
import type { Stoppable } from './grace.ts'
import { holdFor } from './hold.ts'
import { claimRelay, IDEMPOTENCY_HEADER, keeper, sendOutcome } from './idempotency.ts'
import { Interruption } from './interruption.ts'
import type { Links } from './links.ts'
import { coveredBy, wantOf } from './output.ts'
import { refuseSensitive } from './sensitive.ts'
import { writtenTexts } from './written-texts.ts'

export interface RelayParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<Links, 'upstream' | 'meansOf'>
  tokenizer: Tokenizer
  health: ChannelHealth
  config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs' | 'uploadMax'>
  logger: Logger
}

export interface Relay extends Stoppable {
  /** Serves one request, past Fastify: the answer is written to the socket. `known`: who asks, if no API key tells. */
  handle(entry: Entry, request: FastifyRequest, reply: FastifyReply, known?: Caller): Promise<void>
}

/** The relay: admit → hold → attempts → deliver → settle → last byte. Every way out settles or releases the hold. */
export function createRelay(parts: RelayParts): Relay {
  const { toolkit, directory, links, tokenizer, health, config, logger } = parts
  const { options, ledger, pricing } = toolkit
  const spools = new Spools()
  const running = new Map<Interruption, Promise<void>>()
  let stopping = false

  async function run(
    entry: Entry,
    request: FastifyRequest,
    reply: FastifyReply,
    { interruption, known }: { interruption: Interruption; known: Caller | undefined },
  ) {
    const startedAt = Date.now()
    let admitted: Admitted | undefined
    const language = chooseLanguage(request.headers['accept-language'], 'en')
    let hold: Hold | undefined
    let served: Tried | undefined
    let claim: RelayClaim | undefined
    try {
      if (stopping) throw new GatewayError('STOPPING')
      admitted = await admit(request, entry, { toolkit, directory, uploadMax: config.uploadMax, spools, known })
      const { body } = admitted
      await refuseSensitive(parts, { ...admitted, operation: entry.operation }, () => writtenTexts(body))
      const idempotencyKey = request.headers[IDEMPOTENCY_HEADER]
      if (typeof idempotencyKey === 'string') {
        const claimed = await claimRelay(request, admitted, { key: idempotencyKey, outcomes: toolkit.relayOutcomes })
        if ('body' in claimed) return sendOutcome(reply, claimed)
        claim = claimed
        admitted = { ...admitted, requestId: claim.requestId }
      }
      const want = wantOf(admitted, toolkit)
      hold = await holdFor(toolkit, admitted.caller, want)
      hold.onLost = () => interruption.cut('quota')
      const retries = options.get(OPTIONS.RetryTimes)
      const { price } = admitted
      const { coveredTokens, limit, hidesReasoning } = coveredBy(hold, { admitted, want, options })
      const coverage = coverageOf({ ledger, hold, price, coveredTokens })
      const random = randomFor(admitted, { enabled: options.get(OPTIONS.ChannelAffinityEnabled) })
      const means = { ...links, config, retries, random, health, coverage, limit, logger }
      served = await tryChannels(admitted, interruption, means)
      if (!served || served.result.kind === 'cut') {
        if (interruption.cause === 'stopping') throw new GatewayError('STOPPING')
        return
      }
      const { result } = served
      if (result.kind === 'failure') {
        const error = failureError(result.failure, { requestId: request.id, language })
        // Before the client is told, who may ask again at once.
        if (claim) await claim.release()
        return sendError(reply, error, DIALECTS[entry.dialect])
      }
      const around = {
        ledger,
        pricing,
        tokenizer,
        config,
        interruption,
        language,
        completesAfterDisconnect: options.get(OPTIONS.CompleteAfterDisconnect),
        ...(claim && { keep: keeper(claim) }),
      }
      await answer(reply, result, { admitted, hold, coveredTokens, hidesReasoning, served, startedAt }, around)
      if (claim) await (hold.open ? claim.release() : claim.finish())
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ requestId: request.id, err: error }, 'relay failed')
      const isCharged = hold?.open === false && !isDatabaseUnavailable(error)
      if (claim) await (isCharged ? claim.finish() : claim.release())
      sendError(reply, refusalError(error, { requestId: request.id, language }), DIALECTS[entry.dialect])
    } finally {
      if (hold) ledger.release(hold)
      served?.health.abandoned()
      await admitted?.upload?.discard()
      if (claim) await claim.release()
    }
  }

  return {
    async handle(entry, request, reply, known) {
      reply.hijack()
      const interruption = new Interruption(reply.raw)
      const work = run(entry, request, reply, { interruption, known })
      running.set(interruption, work)
      try {
        await work
      } catch (error) {
        // Not even a refusal could be written: the client must not wait for one.
        logger.error({ requestId: request.id, err: error }, 'relay failed')
        reply.raw.destroy()
      } finally {
        running.delete(interruption)
      }
    },
    running: () => running.values(),
    cut() {
      stopping = true
      for (const interruption of running.keys()) interruption.cut('stopping')
    },
  }
}
