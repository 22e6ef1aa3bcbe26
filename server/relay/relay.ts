import type { ServerResponse } from 'node:http'
import type { Span } from '@opentelemetry/api'
import { isDatabaseUnavailable } from '../../core/db/unavailable.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import type { FailedTry } from '../../core/logs/failures.ts'
import { chooseLanguage, type Language } from '../../core/messages/language.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { Usage } from '../../core/pricing/prices.ts'
import type { Ready } from '../../core/ready.ts'
import type { RelayClaim, StoredReply } from '../../core/relay-outcomes.ts'
import type { Rostered } from '../../core/roster.ts'
import { tracedRelay } from '../telemetry/gen-ai.ts'
import { type Admitted, admit, type NamedModel } from './admission/admission.ts'
import type { Caller } from './admission/authenticate.ts'
import type { RelayEntry } from './admission/entry.ts'
import { extractText } from './admission/extract-text.ts'
import {
  claimRelay,
  IDEMPOTENCY_HEADER,
  outcomeStorer,
  type StoreOutcome,
  sendOutcome,
} from './admission/idempotency.ts'
import type { RelayRequest } from './admission/relay-request.ts'
import { refuseSensitive } from './admission/sensitive.ts'
import type { BufferedReply, UpstreamAnswer } from './attempt/open-reply.ts'
import { coverPrompts } from './charging/cover-prompts.ts'
import { coverageOf } from './charging/extend.ts'
import { type HeldRelay, holdRelay } from './charging/hold.ts'
import { coveredBy } from './charging/output.ts'
import {
  type AnswerableRelay,
  answerStreamed,
  chargeBuffered,
  isAnsweredAsDocument,
  sendBuffered,
  wholeBytes,
} from './delivery/answer.ts'
import { errorForClient, failureError, sendError } from './delivery/error.ts'
import { CLIENT_GONE, recordFailed } from './delivery/failed-relay.ts'
import { Interruption } from './delivery/interruption.ts'
import type { RelayError } from './dialects/dialect.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { storeCreated } from './hosted/store-created.ts'
import { RelayLimits } from './limits/relay-limits.ts'
import type { RelayParts } from './relays.ts'
import { randomFor } from './routing/affinity.ts'
import { Attempts, type AttemptsListener, type LastAttempt } from './routing/attempts.ts'

/** Length in bytes above which a body is searched for sensitive words only after the hold. */
const LONG_BODY_BYTES = 64 * 1024
/** Time in ms that hosted tools may run at the upstream after a disconnect, if `relayTimeoutMs` is 0. */
const HOSTED_TOOLS_MS = 600_000

/**
 * One relay, from its request to its last byte. Each stage is a method. The stages admit the request, search it for
 * sensitive words, claim the idempotency key, hold quota, take limits, try channels, reply, and end. A stage calls the
 * next stage by `after` or `wait`. Every exit path calls `end`, which releases a hold that is not settled.
 */
export class Relay implements AttemptsListener, AnswerableRelay, NamedModel, Rostered {
  place = -1
  readonly startedAt = Date.now()
  readonly interruption: Interruption
  namedModel = ''
  // Results of the stages. Each field is set by its stage.
  admitted!: Admitted
  hold!: Hold
  served!: LastAttempt
  coveredTokens = 0
  hidesReasoning = false
  /** The quota of the hold, for the error if the hold is lost. */
  private heldQuota = 0
  meter!: AnswerableRelay['meter']
  firstTokenAt: number | undefined
  isStream = false
  isDelivered = false
  completedAfterDisconnect: boolean | undefined
  private claim: RelayClaim | undefined
  readonly failedTries: FailedTry[] = []
  isFailed = false
  /** Undefined if no limit is set. */
  private limits: RelayLimits | undefined
  private readonly span: Span | undefined
  private isLongBody = false
  private isOver = false
  private onEnd: (() => void)[] | undefined

  constructor(
    readonly entry: RelayEntry,
    readonly request: RelayRequest,
    readonly response: ServerResponse,
    /** The caller, if the request has no API key. */
    readonly keylessCaller: Caller | undefined,
    readonly parts: RelayParts,
    private readonly onOver: (relay: Relay) => void,
  ) {
    this.interruption = new Interruption(response)
    this.span = parts.telemetry?.begin(request.headers)
    // Anthropic's clients display this header as the request id.
    if (entry.dialect === 'anthropic-messages') response.setHeader('request-id', request.id)
  }

  start(): void {
    const { request, entry, parts, keylessCaller } = this
    try {
      if (parts.isStopping()) throw new GatewayError('STOPPING')
      this.after(admit(request, entry, parts, { known: keylessCaller, named: this }), this.onAdmitted)
    } catch (error) {
      this.reject(error)
    }
  }

  private onAdmitted(admitted: Admitted): void {
    this.admitted = admitted
    // Search a long body only after the hold has shown that the caller can pay.
    this.isLongBody = admitted.raw.length > LONG_BODY_BYTES
    this.after(this.isLongBody ? undefined : this.rejectSensitiveWords(), this.claimIdempotencyKey)
  }

  private rejectSensitiveWords(): Promise<void> | undefined {
    const { parts, admitted } = this
    if (!parts.toolkit.sensitiveWords.isActive()) return undefined
    const search = refuseSensitive(
      parts,
      () => ({ ...admitted, operation: admitted.entry.operation }),
      () => extractText(admitted.body),
    )
    return search instanceof Promise ? search : undefined
  }

  private claimIdempotencyKey(): void {
    const { request, admitted, parts } = this
    const key = request.headers[IDEMPOTENCY_HEADER]
    if (typeof key !== 'string') {
      this.holdQuota()
      return
    }
    this.wait(claimRelay(request, admitted, { key, outcomes: parts.toolkit.relayOutcomes }), this.onClaimed)
  }

  private onClaimed(claimed: RelayClaim | (StoredReply & { requestId: string })): void {
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
    this.after(holdRelay(this.admitted, this.parts.toolkit), this.onHeld)
  }

  private onHeld({ admitted, want, hold }: HeldRelay): void {
    this.admitted = admitted
    this.hold = hold
    this.heldQuota = hold.quota
    hold.onLost = () => this.interruption.abort('quota')
    this.after(this.isLongBody ? this.rejectSensitiveWords() : undefined, () => this.takeLimits(want))
  }

  private takeLimits(want: HeldRelay['want']): void {
    const { hold, interruption, parts, request } = this
    const { applicable } = parts.toolkit.liveLimits
    if (applicable) this.limits = new RelayLimits(parts.toolkit, this.admitted, want)
    const taking = applicable && this.limits?.take(applicable, { hold, interruption, address: request.ip })
    this.after(taking, () => this.tryChannels(want))
  }

  get limitHeaders(): AnswerableRelay['limitHeaders'] {
    return this.limits?.headersFor(this.entry.dialect)
  }

  private tryChannels(want: HeldRelay['want']): void {
    const { admitted, hold, interruption, parts, failedTries } = this
    const { options, ledger } = parts.toolkit
    // Let started hosted tools finish, because they cost money even if the client disconnects.
    if (want.toolQuota > 0) interruption.completeWithin(parts.config.relayTimeoutMs || HOSTED_TOOLS_MS)
    const { coveredTokens, limit, hidesReasoning } = coveredBy(hold, { admitted, want, options })
    this.coveredTokens = coveredTokens
    this.hidesReasoning = hidesReasoning
    const attempts = {
      retries: options.get(OPTIONS.RetryTimes),
      random: randomFor(admitted, { enabled: options.get(OPTIONS.ChannelAffinityEnabled) }),
      use: this.limits?.use,
      hold,
      coverage: coverageOf({ ledger, hold, price: admitted.price, coveredTokens }),
      limit,
      failedTries,
    }
    new Attempts(admitted, interruption, attempts, parts, this).start()
  }

  onFailure(error: unknown): void {
    this.reject(error)
  }

  coverPrompts(times: number): Promise<void> {
    return coverPrompts(this, times, this.parts.toolkit)
  }

  onTried(served: LastAttempt | undefined): void {
    try {
      if (served) this.served = served
      if (!served || served.result.kind === 'cut') {
        const error = this.interruption.errorFor(this.heldQuota)
        if (error) throw error
        this.record(CLIENT_GONE)
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
    // Release the idempotency key before replying, because the client may retry at once.
    this.after(this.claim?.release(), send)
  }

  private answer(result: UpstreamAnswer): void {
    if (!isAnsweredAsDocument(result, this.admitted)) {
      this.wait(answerStreamed(this, result), this.onAnswered)
      return
    }
    this.wait(chargeBuffered(this, result), (usage) => this.deliverWhole(result, usage))
  }

  private deliverWhole(result: BufferedReply, usage: Usage): void {
    const { interruption, storeOutcome } = this
    if (interruption.isDisconnected) this.record(CLIENT_GONE)
    if (interruption.isDisconnected && !storeOutcome) {
      this.onAnswered()
      return
    }
    const payload = wholeBytes(this, result, usage)
    const send = () => {
      if (!interruption.isDisconnected) sendBuffered(this, result, payload)
      this.onAnswered()
    }
    const keepOutcome = () => this.after(storeOutcome?.({ contentType: 'application/json', body: payload }), send)
    this.after(this.responseKeeper?.store(this), keepOutcome)
  }

  private onAnswered(): void {
    const { claim, hold } = this
    this.after(hold.open ? claim?.release() : claim?.finish(), this.end)
  }

  /** Calls the next stage with the result of this stage: at once, or after a promise. */
  private after<Value>(result: Ready<Value>, next: (this: this, value: Value) => void): void {
    if (result instanceof Promise) this.wait(result, next)
    else next.call(this, result)
  }

  private wait<Value>(result: Promise<Value>, next: (this: this, value: Value) => void): void {
    result.then(
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

  /** Ends the relay with an error. If a part of the reply was already sent, `sendError` disconnects the client. */
  private reject(error: unknown): void {
    if (this.isOver) {
      this.abandon(error)
      return
    }
    const { request, parts, claim, hold, entry } = this
    if (!(error instanceof GatewayError)) parts.logger.error({ requestId: request.id, err: error }, 'relay failed')
    const isCharged = (hold as Hold | undefined)?.open === false && !isDatabaseUnavailable(error)
    const send = () => {
      const relayError = errorForClient(error, { requestId: request.id, language: this.language })
      const refusal = this.limits ? { ...relayError, headers: this.limitHeaders } : relayError
      this.record(refusal)
      sendError(this.response, refusal, DIALECTS[entry.dialect])
      this.end()
    }
    const claimEnd: Ready<void> = claim ? (isCharged ? claim.finish() : claim.release()) : undefined
    if (claimEnd) claimEnd.then(send).catch((writeError) => this.abandon(writeError))
    else
      try {
        send()
      } catch (writeError) {
        this.abandon(writeError)
      }
  }

  /** Closes the connection, because the error cannot be sent. Otherwise, the client would wait for a reply. */
  private abandon(error: unknown): void {
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
      const served = this.served as LastAttempt | undefined
      served?.health.abandoned()
      interruption.close()
      // Close an unfinished reply, because the relay writes nothing more.
      if (!this.response.writableEnded && !this.response.destroyed) this.response.destroy()
    } catch (error) {
      this.abandon(error)
    }
    const upload = (this.admitted as Admitted | undefined)?.upload
    if (!upload && !claim) {
      this.reportEnd()
      return
    }
    void Promise.all([upload?.discard(), claim?.release()])
      .catch((error) => this.abandon(error))
      .then(() => this.reportEnd())
  }

  private reportEnd(): void {
    this.onOver(this)
    if (this.span) this.parts.telemetry?.end(this.span, tracedRelay(this))
    if (this.onEnd) for (const resolve of this.onEnd) resolve()
  }

  /** Resolves when the relay has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.onEnd ??= []
      this.onEnd.push(resolve)
    })
  }

  /** The admitted model. Empty if the relay was rejected. */
  get model(): string {
    return (this.admitted as Admitted | undefined)?.model ?? ''
  }

  /** The id of the channel that was tried last, or 0. */
  get channelId(): number {
    return (this.served as LastAttempt | undefined)?.channel.id ?? 0
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

  get storeOutcome(): StoreOutcome | undefined {
    return this.claim && outcomeStorer(this.claim)
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

  record(error: Pick<RelayError, 'status' | 'code' | 'message'>, upstreamRequestId?: string): void {
    this.isFailed = true
    recordFailed(this, error, upstreamRequestId)
  }
}
