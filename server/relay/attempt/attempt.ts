import type { LiveChannel } from '../../../core/channels/directory.ts'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import type { Coverage } from '../charging/extend.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { failure, presentable } from '../providers/failure.ts'
import type { Ask, Failure, Means, Plan, Provider, UpstreamRequest } from '../providers/provider.ts'
import { providerFor } from '../providers/providers.ts'
import { isTimeout, isUnreached, type ReplyListener, type Upstream } from '../transport/upstream.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'
import { type Answering, type AttemptResult, isWhole, openReply, REPLY_BYTES_MAX, readWhole } from './open-reply.ts'
import { withOverrides } from './overrides.ts'

/** The channel cannot be asked this: nothing was sent. */
export interface PassedOver {
  kind: 'passed-over'
  refusal: GatewayError
}

export interface AttemptMeans {
  upstream: Upstream
  /** What providers may need, for one channel. */
  means: Means
  interruption: Pick<Interruption, 'signal' | 'cause' | 'endAttempt'>
  relayTimeoutMs: number
  firstTokenTimeoutMs: number
  /** Absent: nobody pays for it. */
  coverage?: Coverage
}

/** Gets what an attempt came to: one of the two, once. Neither throws. */
export interface AttemptListener {
  onResult(result: AttemptResult | PassedOver): void
  /** A refusal that an upstream's reply amounts to, or one of `Provider.plan` that is not about the channel. */
  onRefusal(error: unknown): void
}

/** One try of one channel, up to the point where something could go to the client. */
export function startAttempt(ask: Ask, channel: LiveChannel, parts: AttemptMeans, listener: AttemptListener): void {
  new Attempt(ask, channel, parts, listener).start()
}

/** The same, as a promise. */
export function attempt(ask: Ask, channel: LiveChannel, parts: AttemptMeans): Promise<AttemptResult | PassedOver> {
  return new Promise((resolve, reject) => startAttempt(ask, channel, parts, { onResult: resolve, onRefusal: reject }))
}

/** Its steps are plain methods that call the next one: a promise for each would cost a relay more than what they do. */
class Attempt implements Answering, ReplyListener {
  readonly provider: Provider
  private planned: Plan | undefined
  private reply: UpstreamReply | undefined
  private timer: NodeJS.Timeout | undefined
  private isLate = false
  private isOver = false
  private isExpired = false

  constructor(
    readonly ask: Ask,
    private readonly channel: LiveChannel,
    private readonly parts: AttemptMeans,
    private readonly listener: AttemptListener,
    /** With a new credential, since the upstream refused the first one. */
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
    // A whole reply has no first token: only streams can be late with it.
    if (parts.firstTokenTimeoutMs && ask.stream) this.timer = setTimeout(() => this.late(), parts.firstTokenTimeoutMs)
    try {
      const plan = this.provider.plan(ask, channel, parts.means)
      if (plan instanceof Promise) plan.then((made) => this.send(made)).catch((error) => this.end(error))
      else this.send(plan)
    } catch (error) {
      this.end(error)
    }
  }

  private late(): void {
    this.isLate = true
    this.parts.interruption.endAttempt()
  }

  private send(plan: Plan): void {
    this.planned = plan
    const { ask, channel } = this
    const request = withOverrides(plan.request, { ask, channel, native: plan.native === true && !plan.adapted })
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
    // A signal is given once: an exchange that begins after it would run to its end unread.
    if (interruption.cause || this.isLate) throw new Error('The attempt has ended')
    parts.upstream.dispatch(request, { signal: interruption.signal, headersTimeoutMs, channel }, this)
  }

  onUnanswered(error: unknown): void {
    this.end(error)
  }

  onReply(reply: UpstreamReply): void {
    this.reply = reply
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

  fail(found: Failure): AttemptResult {
    const { credential } = this.planned ?? {}
    this.isExpired = credential?.refused(found) === true
    if (this.isExpired && credential) this.parts.means.forgetCredential(credential.key)
    return { kind: 'failure', failure: presentable(found, this.channel) }
  }

  /** Ends the attempt by what was thrown. */
  private end(error: unknown): void {
    if (this.parts.interruption.cause) {
      this.finish({ kind: 'cut' })
      return
    }
    if (error instanceof GatewayError) {
      if (!this.close()) return
      if (this.reply || !OF_CHANNEL.has(error.code)) this.listener.onRefusal(error)
      else this.listener.onResult({ kind: 'passed-over', refusal: error })
      return
    }
    const { isLate: late, planned, reply } = this
    this.finish(this.fail(broken(error, { late, planned: planned !== undefined, answered: reply !== undefined })))
  }

  private finish(result: AttemptResult): void {
    const { ask, channel, parts, listener, planned: plan } = this
    if (this.isOver) return
    try {
      if (plan && 'native' in result) {
        if (plan.native) result.headers = this.reply?.headers ?? {}
        else if (plan.reader) result.omitted = ask.conversation().omitted
      }
    } catch (error) {
      this.end(error)
      return
    }
    this.close(result)
    // A credential that was good a moment ago may have been withdrawn: a new one is asked for, once.
    if (this.isExpired && !this.isSecond) new Attempt(ask, channel, parts, listener, true).start()
    else listener.onResult(result)
  }

  /** Returns whether the attempt was open. */
  private close(result?: AttemptResult): boolean {
    if (this.isOver) return false
    this.isOver = true
    if (this.timer) clearTimeout(this.timer)
    // A body that is not read any more must not go on arriving.
    if (result?.kind !== 'stream' && result?.kind !== 'bytes') this.reply?.body.destroy()
    return true
  }
}

/** What only this channel cannot do: its upstream has no place for it, or it is not set up. */
const OF_CHANNEL = new Set<ErrorCode>(['CHANNEL_MISCONFIGURED', 'OPERATION_UNSUPPORTED', 'REQUEST_MALFORMED'])

/** The code of an upstream that could not be reached, or broke off. */
export const UNREACHED = 'do_request_failed'

/** The failure that an exception stands for. */
function broken(
  error: unknown,
  { late, planned, answered }: { late: boolean; planned: boolean; answered: boolean },
): Failure {
  if (late) {
    const found = failure(504, 'The upstream sent no token in time', { code: 'first_token_timeout' })
    return { ...found, retry: 'other-channel' }
  }
  // The upstream may still be working on it, and charging: no other channel is asked.
  if (isTimeout(error)) return failure(504, 'The upstream did not answer in time', { code: 'upstream_timeout' })
  const found = failure(502, 'The upstream could not be reached, or broke off', { code: UNREACHED })
  if (answered) return found
  if (isUnreached(error)) return { ...found, unreached: true }
  // A defect in what was to be sent says nothing about whom it was to be sent to.
  return planned || typeof (error as { code?: unknown }).code === 'string' ? found : { ...found, unasked: true }
}
