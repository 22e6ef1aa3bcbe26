import type { Logger } from 'pino'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import { candidatesOf, type Pool, pickChannel } from '../../../core/channels/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import { saidBy } from '../attempt/client-words.ts'
import { failure } from '../providers/failure.ts'
import type { Failure } from '../providers/provider.ts'
import { backOff } from '../routing/back-off.ts'
import { refuseSetAside, setAsideRefusal } from '../routing/set-aside.ts'
import { isUnreached } from '../transport/upstream.ts'
import { troubleOf } from './exchange.ts'
import type { SubmissionCut } from './running.ts'
import type { AdmittedTask } from './submission.ts'

/** What a channel made of a task: it took it, or it did not, for a reason that says whether another may be asked. */
export type TaskOutcome = { failure?: undefined } | { failure: Failure }

export interface TaskAttempts<T extends TaskOutcome> {
  channels: Pool<LiveChannel>
  /** Only this one may be asked, healthy or not: the caller insists on it, or it has what the task goes on from. */
  pinned: boolean
  /** Besides the first. */
  retries: number
  /** Names the API, since a channel may be well for one and not for another. */
  via: string
  /** Asks one channel. What it throws is no answer; a GatewayError ends all attempts. */
  ask(channel: LiveChannel): Promise<T>
  /** What the client wrote: texts, or a whole body. */
  written: unknown
}

/** What the last channel made of it that was asked, and all that were. */
export interface TriedTask<T> {
  /** With the key that was used, of several. */
  channel: LiveChannel
  outcome: T | { failure: Failure }
  tried: readonly number[]
}

/**
 * Asks healthy channels until one takes a task, each at most once. Another is asked only where the last one surely has not taken
 * it: else both would do the work, and the operator pay for both. Throws CHANNELS_LIMITED and CHANNELS_UNHEALTHY when none
 * was asked because of their health, CHANNEL_MISCONFIGURED when none has an address, STOPPING.
 */
export async function tryTaskChannels<T extends TaskOutcome>(
  { requestId, model }: Pick<AdmittedTask, 'requestId' | 'model'>,
  { channels, pinned, retries, via, ask, written }: TaskAttempts<T>,
  { health: channelHealth, cut, logger }: { health: Pick<ChannelHealth, 'begin'>; cut: SubmissionCut; logger: Logger },
): Promise<TriedTask<T>> {
  const health = channelHealth.begin({ model: pricedName(model), via, pinned })
  refuseSetAside(health, channels, model)
  const tried = new Set<number>()
  const may = (channel: LiveChannel) => !tried.has(channel.id) && hasServer(channel) && health.allows(channel)
  const attemptsMax = pinned ? 1 : 1 + retries
  let last: TriedTask<T> | undefined
  while (tried.size < attemptsMax) {
    if (last) await backOff(tried.size)
    if (cut.cause) throw new GatewayError('STOPPING')
    const picked = pickChannel(channels, may, Math.random)
    // One that goes on with something has its key already.
    const channel = picked?.keyName ? picked : picked && health.withKey(picked, Math.random)
    if (!channel) break
    tried.add(channel.id)
    const watched = health.attempt(channel)
    let outcome: T | { failure: Failure }
    try {
      outcome = await ask(channel)
    } catch (error) {
      if (error instanceof GatewayError || cut.cause) {
        watched.abandoned()
        throw error instanceof GatewayError ? error : new GatewayError('STOPPING', {}, { cause: error })
      }
      outcome = { failure: brokenOff(error) }
    }
    last = { channel, outcome, tried: [...tried] }
    if (!outcome.failure) {
      watched.succeeded()
      return last
    }
    watched.failed(outcome.failure, () => saidBy({ body: written }, [model]))
    const { status, code, message, retry } = outcome.failure
    const key = channel.keyName?.digest
    logger.warn({ requestId, channel: channel.id, key, model, status, code, reason: message }, 'a task was not taken')
    if (retry === 'never') break
  }
  if (last) return last
  const unserving = candidatesOf(channels).filter((channel) => !hasServer(channel))
  const unwell = setAsideRefusal(health, channels, { passed: unserving.map(({ id }) => id), model })
  const [first] = unserving
  throw (
    unwell ?? new GatewayError('CHANNEL_MISCONFIGURED', { id: first?.id ?? 0, reason: 'it has no base_url of its own' })
  )
}

/** A vendor's own address takes no tasks: channels of any type may serve them, but their operator says where. */
export function hasServer({ baseUrl, type }: LiveChannel): boolean {
  return baseUrl !== '' && baseUrl !== type.baseUrl
}

/** No answer came: what never left may be asked elsewhere, everything else may have been taken. */
function brokenOff(error: unknown): Failure {
  const trouble = troubleOf(error)
  if (trouble === 'late') return failure(504, 'The upstream did not answer in time', { code: 'upstream_timeout' })
  const found = failure(502, 'The upstream could not be reached, or broke off', { code: 'do_request_failed' })
  if (trouble === 'broken') return { ...found, retry: 'never' }
  return isUnreached(error) ? { ...found, unreached: true } : found
}
