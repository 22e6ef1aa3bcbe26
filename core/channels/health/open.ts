import type { Follower } from '../../changes/follower.ts'
import type { Database } from '../../db/database.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Options } from '../../options/options.ts'
import { OPTIONS } from '../../options/registry.ts'
import type { ChannelDirectory } from '../routing/directory.ts'
import { createAutoDisable } from './auto-disable.ts'
import { ChannelHealth, type CircuitChange } from './health.ts'
import { createHealthJournal } from './journal.ts'

/** The health of channels in one gateway process, and its journal. */
export type OpenChannelHealth = ReturnType<typeof openChannelHealth>

/** Opens the health of channels. All circuits are closed at first. `now` returns Unix milliseconds. */
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
