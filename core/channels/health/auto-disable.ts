import { GATEWAY } from '../../actor.ts'
import type { KeyAutoStatus } from '../keys/key-auto-status.ts'
import type { ChannelAutoStatus } from '../status/auto-status.ts'
import type { LostAccount } from './health.ts'

/**
 * Disables channels or keys whose account the upstream rejects, in the background.
 *
 * `enabled` returns the option AutomaticDisableChannelEnabled. `before` runs before a channel or key is disabled, and
 * writes waiting changes of circuits. So the channel's history shows the failures first.
 */
export function createAutoDisable(parts: {
  autoStatus: Pick<ChannelAutoStatus & KeyAutoStatus, 'disableAutomatically' | 'disableKeyAutomatically'>
  enabled: () => boolean
  before: () => Promise<void>
  onFailure: (error: unknown) => void
}) {
  const { autoStatus, enabled, before, onFailure } = parts
  const running = new Map<string, Promise<unknown>>()
  return {
    disableLost({ channel, key, reason }: LostAccount): void {
      const target = `${channel.id} ${key ?? ''}`
      // Disable once, although many requests in progress report the same failure.
      if (!channel.autoBan || !enabled() || running.has(target)) return
      const { id } = channel
      const disable = async (): Promise<void> => {
        await before()
        if (key === undefined) await autoStatus.disableAutomatically(GATEWAY, id, reason)
        else await autoStatus.disableKeyAutomatically(GATEWAY, id, key, reason)
      }
      const work = disable()
        .catch(onFailure)
        .finally(() => running.delete(target))
      running.set(target, work)
    },
    /** Waits for running updates. */
    async close(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
