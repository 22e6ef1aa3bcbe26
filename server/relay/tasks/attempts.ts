import type { Logger } from 'pino'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf, type Pool, pickChannel } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { failureMessage } from '../../../core/messages/reasons.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import { requestEchoOf } from '../attempt/request-echo.ts'
import { createFailure } from '../providers/failure.ts'
import type { Failure } from '../providers/provider.ts'
import { backOff } from '../routing/back-off.ts'
import { throwIfUnavailable, unavailableError } from '../routing/set-aside.ts'
import { isUnreached } from '../transport/upstream.ts'
import { troubleOf } from './exchange.ts'
import type { SubmissionAbort } from './running.ts'
import type { AdmittedTask } from './submission.ts'

/** The result of one channel. A failure states whether the relay may try another channel. */
type TaskOutcome = { failure?: undefined } | { failure: Failure }

interface TaskAttempts<T extends TaskOutcome> {
  channels: Pool<LiveChannel>
  /**
   * True if only one channel may be tried, even if it is unhealthy, because the key is limited to this channel or the
   * channel has the task to continue.
   */
  pinned: boolean
  /** Maximum number of attempts after the first one. */
  retries: number
  /** The API's name, because a channel may be healthy for one API but not for another. */
  via: string
  /**
   * Sends the task to one channel. A GatewayError ends all attempts. Any other exception means that the upstream did
   * not reply.
   */
  ask(channel: LiveChannel): Promise<T>
  /** The client's body, whose texts an upstream's error may repeat. */
  written: unknown
}

/** The result of the last channel. */
export interface TriedTask<T> {
  /** The last channel, with the key that was used. */
  channel: LiveChannel
  outcome: T | { failure: Failure }
  /** Ids of all channels that were tried, in order. */
  tried: readonly number[]
}

/**
 * Tries healthy channels until one accepts the task. Tries no channel twice. Tries another channel only if the last one
 * has certainly not accepted the task. Otherwise, both could run the task, and the operator would pay twice.
 *
 * Throws CHANNELS_LIMITED or CHANNELS_UNHEALTHY if health prevented every attempt, CHANNEL_MISCONFIGURED if no channel
 * has an address, and STOPPING.
 */
export async function tryTaskChannels<T extends TaskOutcome>(
  { requestId, model }: Pick<AdmittedTask, 'requestId' | 'model'>,
  { channels, pinned, retries, via, ask, written }: TaskAttempts<T>,
  parts: { health: Pick<ChannelHealth, 'begin'>; cut: SubmissionAbort; logger: Logger },
): Promise<TriedTask<T>> {
  const { health: channelHealth, cut, logger } = parts
  const health = channelHealth.begin({ model: pricedName(model), via, pinned })
  throwIfUnavailable(health, channels, model)
  const tried = new Set<number>()
  const isCandidate = (channel: LiveChannel) => !tried.has(channel.id) && hasServer(channel) && health.allows(channel)
  const attemptsMax = pinned ? 1 : 1 + retries
  let lastAttempt: TriedTask<T> | undefined
  while (tried.size < attemptsMax) {
    if (lastAttempt) await backOff(tried.size)
    if (cut.cause) throw new GatewayError('STOPPING')
    const picked = pickChannel(channels, isCandidate, Math.random)
    // The channel of a follow-up already has its key.
    const channel = picked?.keyName ? picked : picked && health.withKey(picked, Math.random)
    if (!channel) break
    tried.add(channel.id)
    const healthAttempt = health.attempt(channel)
    let outcome: T | { failure: Failure }
    try {
      outcome = await ask(channel)
    } catch (error) {
      if (error instanceof GatewayError || cut.cause) {
        healthAttempt.abandoned()
        throw error instanceof GatewayError ? error : new GatewayError('STOPPING', {}, { cause: error })
      }
      outcome = { failure: noReplyFailure(error) }
    }
    lastAttempt = { channel, outcome, tried: [...tried] }
    if (!outcome.failure) {
      healthAttempt.succeeded()
      return lastAttempt
    }
    healthAttempt.failed(outcome.failure, () => requestEchoOf({ body: written }, [model]))
    const { status, code, message, retry } = outcome.failure
    const key = channel.keyName?.digest
    logger.warn({ requestId, channel: channel.id, key, model, status, code, reason: message }, 'a task was rejected')
    if (retry === 'never') break
  }
  if (lastAttempt) return lastAttempt
  const withoutServer = candidatesOf(channels).filter((channel) => !hasServer(channel))
  const unavailable = unavailableError(health, channels, { passed: withoutServer.map(({ id }) => id), model })
  const [first] = withoutServer
  throw (
    unavailable ??
    new GatewayError('CHANNEL_MISCONFIGURED', { id: first?.id ?? 0, reason: 'it has no base_url of its own' })
  )
}

/** Whether the operator set the channel's address, without which no type of channel can serve tasks. */
export function hasServer({ baseUrl, type }: LiveChannel): boolean {
  return baseUrl !== '' && baseUrl !== type.baseUrl
}

/** Converts a missing reply to a failure. Allows a retry only if nothing was sent, because the task may be accepted. */
function noReplyFailure(error: unknown): Failure {
  const trouble = troubleOf(error)
  if (trouble === 'late') return createFailure(504, failureMessage('timeout'), { code: 'upstream_timeout' })
  const disconnected = createFailure(502, failureMessage('unreached'), { code: 'do_request_failed' })
  if (trouble === 'broken') return { ...disconnected, retry: 'never' }
  return isUnreached(error) ? { ...disconnected, unreached: true } : disconnected
}
