import { GATEWAY } from './actor.ts'
import type { Database } from './db/database.ts'
import { keepPartitions } from './db/log-partitions.ts'
import type { LogArchive } from './logs/archive/archive.ts'
import type { Logs } from './logs/logs.ts'
import { isCountedBefore } from './logs/usage/roll-up.ts'
import type { Options } from './options/options.ts'
import { OPTIONS } from './options/registry.ts'
import { removeFinishedTasks } from './tasks/removal.ts'

/** Deletes rows that are older than the retention options allow. Deletes whole UTC days, so it need run only daily. */
export type Retention = ReturnType<typeof createRetention>

const DAY_S = 86_400

export function createRetention(parts: {
  db: Database
  logs: Pick<Logs, 'clear' | 'rollUpUsage'>
  logArchive: LogArchive
  options: Pick<Options, 'get'>
  now: () => number
}) {
  const { db, logs, logArchive, options, now } = parts
  /** Returns the start of the first day to keep, in Unix seconds. Returns undefined if all days are kept. */
  function boundOf(days: number): number | undefined {
    const today = now() - (now() % DAY_S)
    return days === 0 ? undefined : today - days * DAY_S
  }

  return {
    /**
     * Deletes log rows by option LogRetentionDays. If LogArchiveBeforeRemoval names a folder, archives them first.
     * Returns the number of deleted rows. Throws like `LogArchive.archive`.
     *
     * Deletes nothing before the dashboard has counted these rows.
     */
    async removeLogs(signal?: AbortSignal): Promise<number> {
      const before = boundOf(options.get(OPTIONS.LogRetentionDays))
      if (before === undefined) return 0
      const oldest = await db.reader('logs').where('created_at', '<', before).orderBy('created_at').first('id')
      if (!oldest) return 0
      await logs.rollUpUsage(signal)
      if (!(await isCountedBefore(db, { before, now: now() }))) return 0
      const folder = options.get(OPTIONS.LogArchiveBeforeRemoval)
      if (folder === '') return logs.clear(GATEWAY, before, signal)
      const { removed } = await logArchive.archive(GATEWAY, { folder, before, remove: true, signal })
      return removed
    },

    /** Deletes finished drawings and tasks by option TaskRetentionDays. Returns the number of deleted rows. */
    async removeTasks(signal?: AbortSignal): Promise<number> {
      const before = boundOf(options.get(OPTIONS.TaskRetentionDays))
      return before === undefined ? 0 : removeFinishedTasks(db, before, signal)
    },

    /** On PostgreSQL, creates log partitions for the next months and drops empty old ones. Returns their number. */
    keepLogPartitions: (): Promise<number> => keepPartitions(db),
  }
}
