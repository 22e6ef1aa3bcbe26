import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { inShortBatches } from '../../db/short-batches.ts'
import { beginRemoval, createKeepAlive, deleteRows, endRemoval, paceOn, type Removal } from '../removal.ts'
import { type ArchiveManifest, readFileLines } from './file.ts'
import { type ArchivedLine, findLines } from './rows.ts'

/**
 * Removes the rows of one archive file from the log, in short transactions. Keeps rows that differ from the file and
 * rows that are not older than `before`. Stops early if `signal` aborts. Returns the number of removed rows.
 */
export async function removeArchived(
  db: Database,
  {
    folder,
    part,
    signal,
    ...options
  }: Omit<Removal, 'id'> & {
    folder: string
    part: ArchiveManifest
    signal?: AbortSignal | undefined
  },
): Promise<number> {
  const lines = readFileLines(join(folder, part.file))
  const removal = await beginRemoval(db, options)
  const touch = createKeepAlive(db, removal)
  let removed = 0
  try {
    await inShortBatches(async (rowsMax) => {
      if (signal?.aborted) return 0
      await touch()
      const batch = await nextLines(lines, rowsMax)
      const removable = batch.filter(({ row }) => row.created_at < options.before)
      removed += await removeBatch(db, removal, removable)
      return batch.length
    }, paceOn(db))
  } finally {
    await lines.return(undefined)
    // Add the `carry` entries even after a failure, for the rows that were already deleted.
    await endRemoval(db, removal)
  }
  return removed
}

async function removeBatch(db: Database, removal: Removal, batch: readonly ArchivedLine[]): Promise<number> {
  const [first, last] = [batch[0], batch.at(-1)]
  if (!first || !last) return 0
  const range = { since: first.row.created_at, until: last.row.created_at + 1 }
  const batchIds = batch.map(({ row }) => row.id)
  const stored = await findLines(db, batchIds, range)
  // Compare the texts of rows. The id may now belong to another row, or the file may be from another gateway.
  const ids = batch.filter(({ row, text }) => stored.get(row.id)?.text === text).map(({ row }) => row.id)
  if (ids.length === 0) return 0
  const { count } = await deleteRows(db, removal, { ...range, restSql: `AND id IN (${ids.join(',')})` })
  return count
}

async function nextLines(lines: AsyncIterator<ArchivedLine>, max: number): Promise<ArchivedLine[]> {
  const batch: ArchivedLine[] = []
  while (batch.length < max) {
    const next = await lines.next()
    if (next.done) break
    batch.push(next.value)
  }
  return batch
}
