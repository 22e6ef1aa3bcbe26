import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { errorCode } from '../../../core/error-parts.ts'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import type { LearnedLimits } from '../../../core/limits/learned.ts'
import { failureMessage } from '../../../core/messages/reasons.ts'
import type { Coverage } from '../charging/extend.ts'
import { OneReplyOnly } from '../conversation/client-fields.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { createFailure, toClientFailure } from '../providers/failure.ts'
import type {
  Failure,
  Plan,
  Provider,
  ProviderContext,
  ProviderRequest,
  UpstreamRequest,
} from '../providers/provider.ts'
import { providerFor } from '../providers/providers.ts'
import { isTimeout, isUnreached, type ReplyListener, type Upstream } from '../transport/upstream.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'
import { isChoicesFailure, startChoices } from './choices.ts'
import {
  type AttemptResult,
  isWhole,
  type OpeningAttempt,
  openReply,
  REPLY_BYTES_MAX,
  readWhole,
} from './open-reply.ts'
import { withOverrides } from './overrides.ts'

/** The result if a channel cannot serve the request. The upstream has processed nothing. */
export interface SkippedChannel {
  kind: 'passed-over'
  refusal: GatewayError
}

export interface AttemptParts {
  upstream: Upstream
  /** The provider's context for one channel. */
  context: ProviderContext
  interruption: Pick<Interruption, 'signal' | 'cause' | 'endAttempt'>
  relayTimeoutMs: number
  firstTokenTimeoutMs: number
  /** Checks during a stream that the hold covers the output. Absent if the attempt is not charged. */
  coverage?: Coverage
  /** Learns limits from the headers of the upstream's replies. */
  learned?: Pick<LearnedLimits, 'note'>
}

/** Receives the outcome of an attempt by exactly one call of `onResult` or `onError`. Neither method throws. */
export interface AttemptListener {
  onResult(result: AttemptResult | SkippedChannel): void
  /** Called with an error that would also occur on other channels, for example MEDIA_REFUSED. */
  onError(error: unknown): void
  /**
   * Extends the hold for a prompt that is sent `times` times. Rejects if the quota is insufficient. Absent if nothing
   * is charged.
   */
  coverPrompts?(times: number): Promise<void>
}

/** Starts one attempt on one channel. The attempt ends before anything is sent to the client. */
export function startAttempt(
  ask: ProviderRequest,
  channel: LiveChannel,
  parts: AttemptParts,
  listener: AttemptListener,
): void {
  new Attempt(ask, channel, parts, listener).start()
}

/** Makes one attempt like `startAttempt`. Resolves with its result, or rejects with the error of `onError`. */
export function attempt(
  ask: ProviderRequest,
  channel: LiveChannel,
  parts: AttemptParts,
): Promise<AttemptResult | SkippedChannel> {
  return new Promise((resolve, reject) => startAttempt(ask, channel, parts, { onResult: resolve, onError: reject }))
}

/**
 * One attempt. Each step is a method that calls the next step. A promise for each step would cost more than the step
 * itself.
 */
class Attempt implements OpeningAttempt, ReplyListener {
  readonly provider: Provider
  private planned: Plan | undefined
  private reply: UpstreamReply | undefined
  private timer: NodeJS.Timeout | undefined
  private isFirstTokenLate = false
  private isOver = false
  private isCredentialRejected = false

  constructor(
    readonly ask: ProviderRequest,
    private readonly channel: LiveChannel,
    private readonly parts: AttemptParts,
    private readonly listener: AttemptListener,
    /** Whether this is the retry with a new credential, after the upstream rejected the first credential. */
    private readonly isSecond = false,
  ) {
    this.provider = providerFor(channel.type)
  }

  get plan(): Plan {
    return this.planned as Plan
  }

  get coverage(): Coverage | undefined {
    return this.parts.coverage
  }

  start(): void {
    const { ask, channel, parts } = this
    // Only a request for a stream has a first-token timeout.
    if (parts.firstTokenTimeoutMs && ask.stream)
      this.timer = setTimeout(() => this.onFirstTokenTimeout(), parts.firstTokenTimeoutMs)
    try {
      const plan = this.provider.plan(ask, channel, parts.context)
      if (plan instanceof Promise) plan.then((resolved) => this.send(resolved)).catch((error) => this.end(error))
      else this.send(plan)
    } catch (error) {
      this.end(error)
    }
  }

  private onFirstTokenTimeout(): void {
    this.isFirstTokenLate = true
    this.parts.interruption.endAttempt()
  }

  private send(plan: Plan): void {
    this.planned = plan
    const { ask, channel } = this
    const request = withOverrides(plan.request, {
      ask,
      channel,
      native: plan.native === true && !plan.isRequestAdapted,
    })
    if (plan.sign)
      plan
        .sign(request)
        .then((signed) => this.dispatch(signed))
        .catch((error) => this.end(error))
    else this.dispatch(request)
  }

  private dispatch(request: UpstreamRequest): void {
    const { channel, parts } = this
    const { interruption, relayTimeoutMs: headersTimeoutMs } = parts
    // Check for an abort here, because an earlier abort has no effect on an exchange that starts now.
    if (interruption.cause || this.isFirstTokenLate) throw new Error('The attempt has ended')
    parts.upstream.dispatch(request, { signal: interruption.signal, headersTimeoutMs, channel }, this)
  }

  onUnanswered(error: unknown): void {
    this.end(error)
  }

  onReply(reply: UpstreamReply): void {
    this.reply = reply
    this.parts.learned?.note(this.channel, reply.headers)
    if (isWhole(reply, this)) {
      reply.body.collect(REPLY_BYTES_MAX, (error, bytes) => (bytes ? this.readBody(reply, bytes) : this.end(error)))
    } else {
      openReply(reply, this)
        .then((result) => this.finish(result))
        .catch((error) => this.end(error))
    }
  }

  private readBody(reply: UpstreamReply, bytes: Buffer): void {
    let result: AttemptResult
    try {
      result = readWhole(bytes, { reply, attempt: this })
    } catch (error) {
      this.end(error)
      return
    }
    this.finish(result)
  }

  fail(upstreamFailure: Failure): AttemptResult {
    const { credential } = this.planned ?? {}
    this.isCredentialRejected = credential?.isRejectedBy(upstreamFailure) === true
    if (this.isCredentialRejected && credential) this.parts.context.forgetCredential(credential.key)
    return { kind: 'failure', failure: toClientFailure(upstreamFailure, this.channel) }
  }

  /** Ends the attempt with an exception. */
  private end(error: unknown): void {
    if (this.parts.interruption.cause) {
      this.finish({ kind: 'cut' })
      return
    }
    if (error instanceof GatewayError) {
      if (!this.close()) return
      if (error instanceof OneReplyOnly) this.startChoices(error)
      else if (this.reply || !CHANNEL_ERRORS.has(error.code)) this.listener.onError(error)
      else this.listener.onResult({ kind: 'passed-over', refusal: error })
      return
    }
    const { isFirstTokenLate, planned, reply } = this
    this.finish(
      this.fail(
        failureOfException(error, { isFirstTokenLate, hasPlan: planned !== undefined, hasReply: reply !== undefined }),
      ),
    )
  }

  private finish(result: AttemptResult): void {
    const { ask, channel, parts, listener, planned: plan } = this
    if (this.isOver) return
    try {
      if (plan && 'native' in result) {
        if (plan.native) result.headers = this.reply?.headers ?? {}
        else if (plan.reader && !plan.isNotConversation) result.omitted = ask.conversation().omitted
      }
    } catch (error) {
      this.end(error)
      return
    }
    this.close(result)
    // Retry once with a new credential, because the upstream may have revoked the cached credential.
    if (this.isCredentialRejected && !this.isSecond) new Attempt(ask, channel, parts, listener, true).start()
    else if (result.kind === 'failure' && isChoicesFailure(result.failure, ask)) this.startChoices(undefined)
    else listener.onResult(result)
  }

  /**
   * Sends one request for each reply that the client requests, because the upstream returns only one reply per request.
   */
  private startChoices(refusal: GatewayError | undefined): void {
    const { ask, channel, parts, listener } = this
    const start = (choiceAsk: ProviderRequest, choiceListener: AttemptListener) =>
      startAttempt(choiceAsk, channel, parts, choiceListener)
    startChoices(ask, { start, interruption: parts.interruption, listener, refusal })
  }

  /** Closes the attempt. Returns false if it was already closed. */
  private close(result?: AttemptResult): boolean {
    if (this.isOver) return false
    this.isOver = true
    if (this.timer) clearTimeout(this.timer)
    // Close replies that will not be read.
    if (result?.kind !== 'stream' && result?.kind !== 'bytes') this.reply?.body.destroy()
    return true
  }
}

/**
 * Codes of errors that concern only this channel: its upstream does not support the request, or its settings are wrong.
 */
const CHANNEL_ERRORS = new Set<ErrorCode>(['CHANNEL_MISCONFIGURED', 'OPERATION_UNSUPPORTED', 'REQUEST_MALFORMED'])

/** The error code for an upstream that could not be reached, or that disconnected during its reply. */
export const UNREACHED = 'do_request_failed'

/** Converts an exception during an attempt to a failure. */
function failureOfException(
  error: unknown,
  { isFirstTokenLate, hasPlan, hasReply }: { isFirstTokenLate: boolean; hasPlan: boolean; hasReply: boolean },
): Failure {
  if (isFirstTokenLate) {
    const failure = createFailure(504, failureMessage('noToken'), { code: 'first_token_timeout' })
    return { ...failure, retry: 'other-channel' }
  }
  // Do not retry on another channel: the upstream may still be working on the request, and charge for it.
  if (isTimeout(error)) return createFailure(504, failureMessage('timeout'), { code: 'upstream_timeout' })
  const disconnected = createFailure(502, failureMessage('unreached'), { code: UNREACHED })
  if (hasReply) return disconnected
  if (isUnreached(error)) return { ...disconnected, unreached: true }
  // Before the plan, an exception without a code is a bug of the gateway. It must not count against the channel's
  // health, because nothing was sent.
  return hasPlan || errorCode(error) !== '' ? disconnected : { ...disconnected, neverSent: true }
}
