import type { Unavailable } from '../../../core/channels/health/health.ts'
import type { RelayHealth } from '../../../core/channels/health/relay-health.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf, type Pool } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'

/** Returns the error if all channels, except those in `passed`, are unavailable. Undefined if none remain. */
export function unavailableError(
  health: RelayHealth,
  channels: Pool<LiveChannel>,
  { passed, model }: { passed: readonly number[]; model: string },
): GatewayError | undefined {
  const remainingChannels = candidatesOf(channels).filter(({ id }) => !passed.includes(id))
  if (remainingChannels.length === 0) return undefined
  return errorOf(health.unavailability(remainingChannels, passed.length === 0 ? channels : undefined), model)
}

/** Throws the error of `unavailableError` if a recent check found no available channel. This saves another check. */
export function throwIfUnavailable(health: RelayHealth, channels: Pool<LiveChannel>, model: string): void {
  const unavailable = health.cachedUnavailability(channels)
  if (unavailable) throw errorOf(unavailable, model)
}

function errorOf({ limited, seconds }: Unavailable, model: string): GatewayError {
  return new GatewayError(limited ? 'CHANNELS_LIMITED' : 'CHANNELS_UNHEALTHY', { model, seconds })
}
