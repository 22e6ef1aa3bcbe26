import { GATEWAY } from '../../actor.ts'
import type { KeyUpkeep } from '../key-upkeep.ts'
import type { ChannelUpkeep } from '../upkeep.ts'
import type { LostAccount } from './health.ts'

/** Takes out channels whose account the upstream refuses, in the background. */
export interface AutoDisable {
  lost(account: LostAccount): void
  /** Waits for what is being done. */
  close(): Promise<void>
}

/**
 * `enabled`: whether the operator wants it (option AutomaticDisableChannelEnabled). `before` is waited for: what led to it
 * comes first in the history.
 */
export function createAutoDisable({
  upkeep,
  enabled,
  before,
  onFailure,
}: {
  upkeep: Pick<ChannelUpkeep & KeyUpkeep, 'disableAutomatically' | 'disableKeyAutomatically'>
  enabled: () => boolean
  before: () => Promise<void>
  onFailure: (error: unknown) => void
}): AutoDisable {
  const running = new Map<string, Promise<unknown>>()
  return {
    lost({ channel, key, reason }) {
      const name = `${channel.id} ${key ?? ''}`
      // Every request that was under way finds the same.
      if (!channel.autoBan || !enabled() || running.has(name)) return
      const { id } = channel
      const disable = async (): Promise<void> => {
        await before()
        if (key === undefined) await upkeep.disableAutomatically(GATEWAY, id, reason)
        else await upkeep.disableKeyAutomatically(GATEWAY, id, key, reason)
      }
      const work = disable()
        .catch(onFailure)
        .finally(() => running.delete(name))
      running.set(name, work)
    },
    async close() {
      await Promise.all(running.values())
    },
  }
}
