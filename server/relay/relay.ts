import type { ServerResponse } from 'node:http'
import type { Attempt as HealthAttempt } from '../../core/channels/health/relay-health.ts'
import { isDatabaseUnavailable } from '../../core/db/unavailable.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import type { FailedTry } from '../../core/logs/failures.ts'
import { chooseLanguage, type Language } from '../../core/messages/language.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { Usage } from '../../core/pricing/prices.ts'
import type { Ready } from '../../core/ready.ts'
import type { Outcome, RelayClaim } from '../../core/relay-outcomes.ts'
import type { Rostered } from '../../core/roster.ts'
import { type Admitted, admit } from './admission/admission.ts'
import type { Caller } from './admission/authenticate.ts'
import type { Entry } from './admission/entry.ts'
import { claimRelay, IDEMPOTENCY_HEADER, type Keep, keeper, sendOutcome } from './admission/idempotency.ts'
import type { RelayRequest } from './admission/relay-request.ts'
import { refuseSensitive } from './admission/sensitive.ts'
import { writtenTexts } from './admission/written-texts.ts'
import type { Answered, WholeReply } from './attempt/open-reply.ts'
import { coverageOf } from './charging/extend.ts'
import { type HeldRelay, holdRelay } from './charging/hold.ts'
import { coveredBy } from './charging/output.ts'
import {
  type AnswerableRelay,
  answerInPieces,
  chargeWhole,
  isAnsweredWhole,
  sendWhole,
  wholeBytes,
} from './delivery/answer.ts'
import { failureError, refusalError, sendError } from './delivery/error.ts'
import { CLIENT_GONE, failedRelay } from './delivery/failed-relay.ts'
import { Interruption } from './delivery/interruption.ts'
import type { RelayError } from './dialects/dialect.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { storeCreated } from './hosted/store-created.ts'
import type { RelayParts } from './relays.ts'
import { randomFor } from './routing/affinity.ts'
import { Attempts, type AttemptsListener, type Tried } from './routing/attempts.ts'

/** Bytes from which on a search for sensitive words waits for the hold. */
const LONG_BODY = 64 * 1024
/** How long the upstream may run hosted tools after the client has disconnected, if no setting limits it. */
const HOSTED_MS = 600_000

/**
 * One relay, from its request to its last byte. Its stages are methods, in order: admit, check words, claim the idempotency key,
 * hold, try channels, answer, end. Each calls the next one directly; a stage that has to wait goes on by `wait`. Every way out
 * leads through `end`, which releases what was not settled.
 */
export class Relay implements AttemptsListener, AnswerableRelay, Rostered {
  place = -1
  readonly startedAt = Date.now()
  readonly interruption: Interruption
  // What the stages find out. Each is there from its stage on.
  admitted!: Admitted
  hold!: Hold
  served!: Tried
  coveredTokens = 0
  hidesReasoning = false
  /** What the hold was of, before it may have been lost. */
  private wantedQuota = 0
  meter!: AnswerableRelay['meter']
  firstTokenAt: number | undefined
  isStream = false
  isRead: boolean | undefined
  private claim: RelayClaim | undefined
  private readonly tries: FailedTry[] = []
  private isLong = false
  private isOver = false
  private onEnd: (() => void)[] | undefined

  constructor(
    private readonly entry: Entry,
    private readonly request: RelayRequest,
    readonly response: ServerResponse,
    /** Who asks, if no API key tells. */
    private readonly known: Caller | undefined,
    private readonly parts: RelayParts,
    private readonly onOver: (relay: Relay) => void,
  ) {
    this.interruption = new Interruption(response)
    // Anthropic's clients show it as the id of the request.
    if (entry.dialect === 'anthropic-messages') response.setHeader('request-id', request.id)
  }

  start(): void {
    const { request, entry, parts, known } = this
    try {
      if (parts.isStopping()) throw new GatewayError('STOPPING')
      const admitted = admit(request, entry, parts, known)
      if (admitted instanceof Promise) this.wait(admitted, this.checkWords)
      else this.checkWords(admitted)
    } catch (error) {
      this.reject(error)
    }
  }

  private checkWords(admitted: Admitted): void {
    this.admitted = admitted
    // A search of long texts is for callers who can pay.
    this.isLong = admitted.raw.length > LONG_BODY
    const words = this.isLong ? undefined : this.refuseWords()
    if (words) this.wait(words, this.claimKey)
    else this.claimKey()
  }

  private refuseWords(): Promise<void> | undefined {
    const { parts, admitted } = this
    if (!parts.toolkit.sensitiveWords.isActive()) return undefined
    const refusing = refuseSensitive(
      parts,
      () => ({ ...admitted, operation: admitted.entry.operation }),
      () => writtenTexts(admitted.body),
    )
    return refusing instanceof Promise ? refusing : undefined
  }

  private claimKey(): void {
    const { request, admitted, parts } = this
    const key = request.headers[IDEMPOTENCY_HEADER]
    if (typeof key !== 'string') {
      this.holdQuota()
      return
    }
    this.wait(claimRelay(request, admitted, { key, outcomes: parts.toolkit.relayOutcomes }), this.claimed)
  }

  private claimed(claimed: RelayClaim | (Outcome & { requestId: string })): void {
    if ('body' in claimed) {
      sendOutcome(this.response, { ...claimed, operation: this.entry.operation })
      this.end()
      return
    }
    this.claim = claimed
    this.admitted = { ...this.admitted, requestId: claimed.requestId }
    this.holdQuota()
  }

  private holdQuota(): void {
    const held = holdRelay(this.admitted, this.parts.toolkit)
    if (held instanceof Promise) this.wait(held, this.held)
    else this.held(held)
  }

  private held({ admitted, want, hold }: HeldRelay): void {
    this.admitted = admitted
    this.hold = hold
    this.wantedQuota = hold.quota
    hold.onLost = () => this.interruption.cut('quota')
    const words = this.isLong ? this.refuseWords() : undefined
    if (words) this.wait(words, () => this.tryChannels(want))
    else this.tryChannels(want)
  }

  private tryChannels(want: HeldRelay['want']): void {
    const { admitted, hold, interruption, parts, tries } = this
    const { options, ledger } = parts.toolkit
    // Tools that have begun cost, even if the client disconnects.
    if (want.toolQuota > 0) interruption.completeWithin(parts.config.relayTimeoutMs || HOSTED_MS)
    const { coveredTokens, limit, hidesReasoning } = coveredBy(hold, { admitted, want, options })
    this.coveredTokens = coveredTokens
    this.hidesReasoning = hidesReasoning
    const attempts = {
      retries: options.get(OPTIONS.RetryTimes),
      random: randomFor(admitted, { enabled: options.get(OPTIONS.ChannelAffinityEnabled) }),
      coverage: coverageOf({ ledger, hold, price: admitted.price, coveredTokens }),
      limit,
      tries,
    }
    new Attempts(admitted, interruption, attempts, parts, this).start()
  }

  onUntried(error: unknown): void {
    this.reject(error)
  }

  onTried(served: Tried | undefined): void {
    try {
      if (served) this.served = served
      if (!served || served.result.kind === 'cut') {
        const { cause, isDisconnected } = this.interruption
        if (cause === 'stopping') throw new GatewayError('STOPPING')
        // The hold was lost before anything was said, and the client is still there.
        if (cause === 'quota' && !isDisconnected) {
          throw new GatewayError('INSUFFICIENT_QUOTA', { needed: this.wantedQuota, available: 0 })
        }
        this.recordBroken(CLIENT_GONE)
        this.end()
        return
      }
      const { result } = served
      if (result.kind === 'failure') this.passOnFailure(result.failure)
      else this.answer(result)
    } catch (error) {
      this.reject(error)
    }
  }

  private passOnFailure(failure: Parameters<typeof failureError>[0] & { upstreamRequestId?: string }): void {
    const error = failureError(failure, { requestId: this.request.id, language: this.language })
    this.record(error, failure.upstreamRequestId)
    const send = () => {
      sendError(this.response, error, DIALECTS[this.entry.dialect])
      this.end()
    }
    // Before the client is told, who may ask again at once.
    if (this.claim) this.wait(this.claim.release(), send)
    else send()
  }

  private answer(result: Answered): void {
    if (!isAnsweredWhole(result, this.admitted)) {
      this.wait(answerInPieces(this, result), this.answered)
      return
    }
    const whole = result as WholeReply
    this.wait(chargeWhole(this, whole), (usage) => this.deliverWhole(whole, usage))
  }

  private deliverWhole(result: WholeReply, usage: Usage): void {
    const { interruption, keep } = this
    if (interruption.isDisconnected) this.recordBroken(CLIENT_GONE)
    if (interruption.isDisconnected && !keep) {
      this.answered()
      return
    }
    const payload = wholeBytes(this, result, usage)
    const send = () => {
      if (!interruption.isDisconnected) sendWhole(this, result, payload)
      this.answered()
    }
    const keepOutcome = () => {
      if (keep) this.wait(keep({ contentType: 'application/json', body: payload }), send)
      else send()
    }
    const storing = this.responseKeeper?.store(this)
    if (storing) this.wait(storing, keepOutcome)
    else keepOutcome()
  }

  private answered(): void {
    const { claim, hold } = this
    if (claim) this.wait(hold.open ? claim.release() : claim.finish(), this.end)
    else this.end()
  }

  /** Goes on with the next stage when this one is done. */
  private wait<Value>(stage: Promise<Value>, next: (this: this, value: Value) => void): void {
    stage.then(
      (value) => {
        try {
          next.call(this, value)
        } catch (error) {
          this.reject(error)
        }
      },
      (error) => this.reject(error),
    )
  }

  /** Ends the relay with an error for its client; one that has read a part of the reply is disconnected. */
  private reject(error: unknown): void {
    if (this.isOver) {
      this.failed(error)
      return
    }
    const { request, parts, claim, hold, entry } = this
    if (!(error instanceof GatewayError)) parts.logger.error({ requestId: request.id, err: error }, 'relay failed')
    const isCharged = (hold as Hold | undefined)?.open === false && !isDatabaseUnavailable(error)
    const send = () => {
      const refusal = refusalError(error, { requestId: request.id, language: this.language })
      this.record(refusal)
      sendError(this.response, refusal, DIALECTS[entry.dialect])
      this.end()
    }
    const done: Ready<void> = claim ? (isCharged ? claim.finish() : claim.release()) : undefined
    if (done) done.then(send).catch((unwritten) => this.failed(unwritten))
    else
      try {
        send()
      } catch (unwritten) {
        this.failed(unwritten)
      }
  }

  /** Not even an error could be written: the client must not wait for one. */
  private failed(error: unknown): void {
    this.parts.logger.error({ requestId: this.request.id, err: error }, 'relay failed')
    this.response.destroy()
    this.end()
  }

  private end(): void {
    if (this.isOver) return
    this.isOver = true
    const { parts, interruption, claim } = this
    try {
      const hold = this.hold as Hold | undefined
      if (hold) parts.toolkit.ledger.release(hold)
      const health: HealthAttempt | undefined = (this.served as Tried | undefined)?.health
      health?.abandoned()
      interruption.close()
      // No client waits for a reply that nothing will bring.
      if (!this.response.writableEnded && !this.response.destroyed) this.response.destroy()
    } catch (error) {
      this.failed(error)
    }
    const upload = (this.admitted as Admitted | undefined)?.upload
    if (!upload && !claim) {
      this.over()
      return
    }
    const discard = async () => {
      await Promise.all([upload?.discard(), claim?.release()])
    }
    discard()
      .catch((error) => this.failed(error))
      .then(() => this.over())
  }

  private over(): void {
    this.onOver(this)
    if (this.onEnd) for (const resolve of this.onEnd) resolve()
  }

  /** Resolves when the relay has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.onEnd ??= []
      this.onEnd.push(resolve)
    })
  }

  get language(): Language {
    return chooseLanguage(this.request.headers['accept-language'], 'en')
  }

  get toolkit(): AnswerableRelay['toolkit'] {
    return this.parts.toolkitWithTokenizer
  }

  get stallTimeoutMs(): number {
    return this.parts.config.relayTimeoutMs
  }

  get keep(): Keep | undefined {
    return this.claim && keeper(this.claim)
  }

  get completesAfterDisconnect(): boolean {
    return this.parts.toolkit.options.get(OPTIONS.CompleteAfterDisconnect)
  }

  get responseKeeper(): RelayRequest['responseKeeper'] {
    return this.request.responseKeeper
  }

  writingThoughts(): Promise<unknown> | undefined {
    return this.parts.writingThoughts()
  }

  storeCreated(): Promise<void> {
    return storeCreated(this, this.parts)
  }

  recordBroken(error: Pick<RelayError, 'status' | 'code' | 'message'>): void {
    this.record(error)
  }

  private record(error: Pick<RelayError, 'status' | 'code' | 'message'>, upstreamRequestId?: string): void {
    const { request, known, startedAt, tries, parts } = this
    const admitted = this.admitted as Admitted | undefined
    const served = this.served as Tried | undefined
    const caller = admitted?.caller ?? known ?? request.caller
    if (!caller) return
    const failed = failedRelay(
      { requestId: request.id, caller, admitted, channelId: served?.channel.id, startedAt },
      error,
    )
    parts.failures.record({ ...failed, tries, upstreamRequestId })
  }
}
