import type { LiveChannel } from '../../core/channels/directory.ts'
import type { RelayHealth } from '../../core/channels/health/relay-health.ts'
import { candidatesOf, type Pool } from '../../core/channels/routing.ts'
import { GatewayError } from '../../core/errors.ts'

/** The refusal when nobody was asked because of the health of those that are left; undefined: none is left. */
export function setAsideRefusal(
  health: RelayHealth,
  channels: Pool<LiveChannel>,
  { passed, model }: { passed: ReadonlySet<number>; model: string },
): GatewayError | undefined {
  const left = candidatesOf(channels).filter(({ id }) => !passed.has(id))
  if (left.length === 0) return undefined
  const { limited, seconds } = health.setAside(left)
  return new GatewayError(limited ? 'CHANNELS_LIMITED' : 'CHANNELS_UNHEALTHY', { model, seconds })
}
