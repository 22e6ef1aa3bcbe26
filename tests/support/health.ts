import { ChannelHealth, type CircuitChange, type LostAccount } from '../../core/channels/health/health.ts'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'

export const DISABLE_KEYWORDS = 'Permission denied\nYour credit balance is too low'

/** Channel health with a settable clock. `find` returns the current channels; default: the channels passed to `add`. */
export function openHealth(find?: (id: number) => LiveChannel | undefined) {
  const changes: CircuitChange[] = []
  const lost: LostAccount[] = []
  const clock = { now: 1_000_000_000_000 }
  const known = new Map<number, LiveChannel>()
  const health = new ChannelHealth({
    find: find ?? ((id) => known.get(id)),
    keywords: () => DISABLE_KEYWORDS,
    onChange: (change) => changes.push(change),
    onLost: (account) => lost.push(account),
    now: () => clock.now,
    random: () => 0.5,
  })
  /** Adds known channels. */
  const add = (...channels: LiveChannel[]) => {
    for (const channel of channels) known.set(channel.id, channel)
  }
  return { health, changes, lost, clock, add }
}
