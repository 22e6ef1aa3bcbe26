import type { Knex } from 'knex'

/** Number of commits between two checkpoints. Under load, these are some 4000 pages, or 16 MB. */
const COMMITS = 250
/** Number of pages after which SQLite itself makes a checkpoint, during a commit. Reached only by large transactions. */
export const AUTOMATIC_CHECKPOINT_PAGES = 16_000

/** Copies committed pages without blocking writers: https://sqlite.org/pragma.html#pragma_wal_checkpoint */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)'

/**
 * Copies committed pages from the write-ahead log to the database file, in the background. An automatic checkpoint runs
 * during a commit, which then waits for the disk: https://sqlite.org/wal.html#ckpt
 */
export function createCheckpoints({ reader, writer }: { reader: Knex; writer: Knex }) {
  let commits = 0
  let running: Promise<void> | undefined

  async function checkpoint(): Promise<void> {
    // Writers can commit meanwhile.
    await reader.raw(CHECKPOINT)
    // Copies the pages of these commits. Only if all pages are copied, the next commit overwrites the log.
    await writer.raw(CHECKPOINT)
  }

  return {
    /** Must be called after each commit. */
    onCommit(): void {
      if (++commits < COMMITS || running) return
      commits = 0
      running = checkpoint()
        // The next checkpoint copies the same pages.
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    /** Resolves when no checkpoint is running. */
    ended: async (): Promise<void> => await running,
  }
}
