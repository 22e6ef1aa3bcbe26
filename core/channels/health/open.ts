import { GATEWAY } from '../../actor.ts'
import type { Follower } from '../../changes/follower.ts'
import type { Database } from '../../db/database.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Options } from '../../options/options.ts'
import { OPTIONS } from '../../options/registry.ts'
import type { KeyAutoStatus } from '../keys/key-auto-status.ts'
import type { ChannelDirectory } from '../routing/directory.ts'
import type { ChannelAutoStatus } from '../status/auto-status.ts'
import { ChannelHealth, type CircuitChange, type LostAccount } from './health.ts'
import { createHealthJournal } from './journal.ts'

/**
 * Opens the health of channels in one gateway process, and its journal. All circuits are closed at first. `now` returns
 * Unix milliseconds.
 */
export function openChannelHealth(parts: {
  db: Database
  ledger: Pick<Ledger, 'nodeId'>
  options: Options
  events: Follower
  autoStatus: Parameters<typeof createAutoDisable>[0]['autoStatus']
  directory: Pick<ChannelDirectory, 'find'>
  /** Called after each change of a circuit, to log it. */
  onChange?: (change: CircuitChange) => void
  onFailure: (error: unknown) => void
  now?: () => number
  random?: () => number
}) {
  const { db, ledger, options, events, autoStatus, directory, onFailure } = parts
  const { onChange = () => {}, now = () => Date.now(), random = () => Math.random() } = parts
  const journal = createHealthJournal({ db, nodeId: () => ledger.nodeId, onFailure })
  const autoDisable = createAutoDisable({
    autoStatus,
    enabled: () => options.get(OPTIONS.AutomaticDisableChannelEnabled),
    before: () => journal.flush(),
    onFailure,
  })
  const health = new ChannelHealth({
    find: (id) => directory.find(id),
    keywords: () => options.get(OPTIONS.AutomaticDisableKeywords),
    onChange(change) {
      journal.record(change)
      onChange(change)
    },
    onLost: autoDisable.disableLost,
    now,
    random,
  })
  // The directory registered its listener first, so the directory is up to date when this listener runs.
  events.on('channel', (ids) => health.forgetEdited(ids?.map(Number)))
  return {
    health,
    /** Waits until all changes are written. */
    async settled(): Promise<void> {
      await autoDisable.close()
      await journal.flush()
    },
    /** Waits until all changes are written, and deletes this process's rows of `channel_circuits`. */
    async close(): Promise<void> {
      await autoDisable.close()
      await journal.close()
    },
  }
}

/**
 * Disables channels or keys whose account the upstream rejects, in the background.
 *
 * `enabled` returns the option AutomaticDisableChannelEnabled. `before` runs before a channel or key is disabled, and
 * writes waiting changes of circuits. So the channel's history shows the failures first.
 */
function createAutoDisable(parts: {
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
