import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { SetAside } from '../../../core/channels/health/health.ts'
import type { RelayHealth } from '../../../core/channels/health/relay-health.ts'
import { candidatesOf, type Pool } from '../../../core/channels/routing.ts'
import { GatewayError } from '../../../core/errors.ts'

/** The refusal when nobody was asked because of the health of those that are left; undefined: none is left. */
export function setAsideRefusal(
  health: RelayHealth,
  channels: Pool<LiveChannel>,
  { passed, model }: { passed: readonly number[]; model: string },
): GatewayError | undefined {
  const left = candidatesOf(channels).filter(({ id }) => !passed.includes(id))
  if (left.length === 0) return undefined
  return refusal(health.setAside(left, passed.length === 0 ? channels : undefined), model)
}

/** Throws the same before anybody is looked at, where it was found out a moment ago that none of the channels may be asked. */
export function refuseSetAside(health: RelayHealth, channels: Pool<LiveChannel>, model: string): void {
  const found = health.knownSetAside(channels)
  if (found) throw refusal(found, model)
}

function refusal({ limited, seconds }: SetAside, model: string): GatewayError {
  return new GatewayError(limited ? 'CHANNELS_LIMITED' : 'CHANNELS_UNHEALTHY', { model, seconds })
}
