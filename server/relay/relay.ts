import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { Config } from '../../core/config.ts'
import { isDatabaseUnavailable } from '../../core/db/unavailable.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import type { FailedTry } from '../../core/logs/failures.ts'
import { chooseLanguage } from '../../core/messages/language.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { Ready } from '../../core/ready.ts'
import type { RelayClaim } from '../../core/relay-outcomes.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import { type Admitted, admit } from './admission/admission.ts'
import type { Caller } from './admission/authenticate.ts'
import type { Entry } from './admission/entry.ts'
import { claimRelay, IDEMPOTENCY_HEADER, keeper, sendOutcome } from './admission/idempotency.ts'
import { refuseSensitive } from './admission/sensitive.ts'
import { writtenTexts } from './admission/written-texts.ts'
import { coverageOf } from './charging/extend.ts'
import { holdRelay } from './charging/hold.ts'
import { coveredBy } from './charging/output.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { answer } from './delivery/answer.ts'
import { failureError, refusalError, sendError } from './delivery/error.ts'
import { CLIENT_GONE, failedRelay } from './delivery/failed-relay.ts'
import type { FailureLog } from './delivery/failure-log.ts'
import type { Stoppable } from './delivery/grace.ts'
import { Interruption } from './delivery/interruption.ts'
import type { RelayError } from './dialects/dialect.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { Spools } from './endpoints/spools.ts'
import { type CreatedBy, storeCreated } from './hosted/store-created.ts'
import { randomFor } from './routing/affinity.ts'
import { type Tried, tryChannels } from './routing/attempts.ts'
import type { Links } from './transport/links.ts'

export interface RelayParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<Links, 'upstream' | 'meansOf'>
  tokenizer: Tokenizer
  health: ChannelHealth
  config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs' | 'uploadMax'>
  bodies: BodyBudget
  failures: FailureLog
  logger: Logger
}

export interface Relay extends Stoppable {
  /** Serves one request, past Fastify: the answer is written to the socket. `known`: who asks, if no API key tells. */
  handle(entry: Entry, request: FastifyRequest, reply: FastifyReply, known?: Caller): void
}

/** Bytes from which on a search for sensitive words waits for the hold. */
const LONG_BODY = 64 * 1024
/** How long the upstream may run hosted tools after the client has disconnected, if no setting limits it. */
const HOSTED_MS = 600_000

/** The relay: admit → hold → attempts → deliver → settle → last byte. Every way out settles or releases the hold. */
export function createRelay(parts: RelayParts): Relay {
  const { toolkit, directory, links, tokenizer, health, config, bodies, failures, logger } = parts
  const { options, ledger, pricing } = toolkit
  const spools = new Spools()
  const running = new Map<Interruption, Promise<void>>()
  let stopping = false

  const refuseWords = (admitted: Admitted): Ready<void> =>
    refuseSensitive(
      parts,
      () => ({ ...admitted, operation: admitted.entry.operation }),
      () => writtenTexts(admitted.body),
    )

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
    const tries: FailedTry[] = []
    const record = (error: Pick<RelayError, 'status' | 'code' | 'message'>, upstreamRequestId?: string) => {
      const caller = admitted?.caller ?? known ?? request.caller
      if (caller) {
        const asked = { requestId: request.id, caller, admitted, channelId: served?.channel.id, startedAt }
        failures.record({ ...failedRelay(asked, error), tries, upstreamRequestId })
      }
    }
    try {
      if (stopping) throw new GatewayError('STOPPING')
      const admitting = admit(request, entry, {
        toolkit,
        directory,
        uploadMax: config.uploadMax,
        bodies,
        spools,
        known,
      })
      admitted = admitting instanceof Promise ? await admitting : admitting
      // A search of long texts is for callers who can pay.
      const isLong = admitted.raw.length > LONG_BODY
      const words = isLong ? undefined : refuseWords(admitted)
      if (words instanceof Promise) await words
      const idempotencyKey = request.headers[IDEMPOTENCY_HEADER]
      if (typeof idempotencyKey === 'string') {
        const claimed = await claimRelay(request, admitted, { key: idempotencyKey, outcomes: toolkit.relayOutcomes })
        if ('body' in claimed) return sendOutcome(reply, { ...claimed, operation: entry.operation })
        claim = claimed
        admitted = { ...admitted, requestId: claim.requestId }
      }
      const holding = holdRelay(admitted, toolkit)
      const held = holding instanceof Promise ? await holding : holding
      const { want } = held
      admitted = held.admitted
      hold = held.hold
      hold.onLost = () => interruption.cut('quota')
      if (isLong) await refuseWords(admitted)
      const retries = options.get(OPTIONS.RetryTimes)
      const { price } = admitted
      // Tools that have begun cost, even if the client disconnects.
      if (want.toolQuota > 0) interruption.completeWithin(config.relayTimeoutMs || HOSTED_MS)
      const { coveredTokens, limit, hidesReasoning } = coveredBy(hold, { admitted, want, options })
      const coverage = coverageOf({ ledger, hold, price, coveredTokens })
      const random = randomFor(admitted, { enabled: options.get(OPTIONS.ChannelAffinityEnabled) })
      const means = { ...links, config, retries, random, health, coverage, limit, tries, logger }
      served = await tryChannels(admitted, interruption, means)
      if (!served || served.result.kind === 'cut') {
        if (interruption.cause === 'stopping') throw new GatewayError('STOPPING')
        record(CLIENT_GONE)
        return
      }
      const { result } = served
      if (result.kind === 'failure') {
        const error = failureError(result.failure, { requestId: request.id, language })
        record(error, result.failure.upstreamRequestId)
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
        onBroken: record,
        store: (relay: CreatedBy) => storeCreated(relay, { toolkit, logger }),
        completesAfterDisconnect: options.get(OPTIONS.CompleteAfterDisconnect),
        ...(claim && { keep: keeper(claim) }),
      }
      await answer(reply, result, { admitted, hold, coveredTokens, hidesReasoning, served, startedAt }, around)
      if (claim) await (hold.open ? claim.release() : claim.finish())
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ requestId: request.id, err: error }, 'relay failed')
      const isCharged = hold?.open === false && !isDatabaseUnavailable(error)
      if (claim) await (isCharged ? claim.finish() : claim.release())
      const refusal = refusalError(error, { requestId: request.id, language })
      record(refusal)
      sendError(reply, refusal, DIALECTS[entry.dialect])
    } finally {
      if (hold) ledger.release(hold)
      served?.health.abandoned()
      interruption.close()
      if (admitted?.upload) await admitted.upload.discard()
      if (claim) await claim.release()
    }
  }

  return {
    handle(entry, request, reply, known) {
      reply.hijack()
      const interruption = new Interruption(reply.raw)
      const work = run(entry, request, reply, { interruption, known })
      running.set(interruption, work)
      const forget = () => running.delete(interruption)
      work.then(forget, (error) => {
        // Not even a refusal could be written: the client must not wait for one.
        logger.error({ requestId: request.id, err: error }, 'relay failed')
        reply.raw.destroy()
        forget()
      })
    },
    running: () => running.values(),
    cut() {
      stopping = true
      for (const interruption of running.keys()) interruption.cut('stopping')
    },
  }
}
