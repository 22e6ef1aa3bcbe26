import type { LiveChannel } from '../../core/channels/directory.ts'
import { ChannelHealth, type CircuitChange, type LostAccount } from '../../core/channels/health/health.ts'

/** Health with a clock in hand, over channels that are what they are. */
export function openHealth(find: (id: number) => LiveChannel | undefined = () => undefined) {
  const changes: CircuitChange[] = []
  const lost: LostAccount[] = []
  const clock = { now: 1_000_000_000_000 }
  const health = new ChannelHealth({
    find,
    keywords: () => 'Permission denied\nYour credit balance is too low',
    onChange: (change) => changes.push(change),
    onLost: (account) => lost.push(account),
    now: () => clock.now,
    random: () => 0.5,
  })
  return { health, changes, lost, clock }
}
