import { join } from 'node:path'
import type { Actor } from '../../actor.ts'
import { createFolder } from '../../create-folder.ts'
import type { Database } from '../../db/database.ts'
import { errorCode, errorMessage, errorProperty } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import type { Sign } from '../../ledger/chain.ts'
import { finishRemovals } from '../removal.ts'
import type { ArchiveRequest, ArchiveResult } from './archive.ts'
import { listManifests, readFileLines, removeAbandoned, verifyArchive, writeArchiveFile } from './file.ts'
import { removeArchived } from './remove.ts'
import { type ArchivedLine, isBefore, oldestTime, readArchiveLines } from './rows.ts'

interface Run {
  db: Database
  actor: Actor
  sign: Sign
  now: () => number
  /** Updated during the run. If the run fails, the caller still sees its progress. */
  result: ArchiveResult
}

/** Archives one month after the other. Throws LOG_ARCHIVE_FAILED, LOG_ARCHIVE_DAMAGED, and the reason of the signal. */
export async function archiveRows(run: Run, request: ArchiveRequest): Promise<void> {
  const { db, sign, now } = run
  const { folder, before, remove } = request
  let readRows = 0
  const countRow = () => request.onProgress?.(++readRows)
  if (remove) await finishRemovals(db, { now, sign })
  try {
    createFolder(folder, 0o700)
    await removeAbandoned(folder)
    for (let from = 0; ; ) {
      const oldest = await oldestTime(db, { from, until: before })
      if (oldest === undefined) return
      const month = monthOf(oldest, before)
      await archiveMonth(run, month, { ...request, countRow })
      from = month.until
    }
  } catch (cause) {
    throw failureOf(cause, request)
  }
}

/** Writes the rows of a month that no file contains yet. Then removes the archived rows if requested. */
async function archiveMonth(
  { db, actor, sign, now, result }: Run,
  { month, from, until }: Month,
  { folder, before, remove, signal, countRow }: ArchiveRequest & { countRow: () => void },
): Promise<void> {
  const manifests = (await listManifests(folder, month)).filter(({ newest }) => newest >= from)
  for (const { file } of manifests) await verifyArchive(join(folder, file))
  result.earlier.push(...manifests.map(({ file }) => file))
  let lines: AsyncIterable<ArchivedLine> = withCount(readArchiveLines(db, { from, until, signal }), countRow)
  for (const { file } of manifests) lines = without(lines, readFileLines(join(folder, file)))
  const written = await writeArchiveFile(folder, { month, lines, now: now(), signal })
  if (written) {
    result.files.push(written)
    result.rows += written.rows
    manifests.push(written)
  }
  if (!remove) return
  for (const part of manifests) {
    const removal = { actorId: actor.id, before, now, sign }
    result.removed += await removeArchived(db, { folder, part, signal, ...removal })
    signal?.throwIfAborted()
  }
}

/** The part of a month to archive. Times are in Unix seconds. `until` is exclusive. */
interface Month {
  month: string
  from: number
  until: number
}

/** Returns the part of a month that begins at `time`. It ends with the month, or at `before` if that is earlier. */
function monthOf(time: number, before: number): Month {
  const date = new Date(time * 1000)
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
  return { month: date.toISOString().slice(0, 7), from: time, until: Math.min(next, before) }
}

/** Converts a system error, such as a full disk, to LOG_ARCHIVE_FAILED. Returns other errors unchanged. */
function failureOf(cause: unknown, { folder, signal }: ArchiveRequest): unknown {
  if (signal?.aborted || cause instanceof GatewayError) return cause
  if (errorCode(cause) === '' || errorProperty(cause, 'syscall') === undefined) return cause
  return new GatewayError('LOG_ARCHIVE_FAILED', { path: folder, reason: errorMessage(cause) }, { cause })
}

async function* withCount(lines: AsyncIterable<ArchivedLine>, count: () => void): AsyncGenerator<ArchivedLine> {
  for await (const line of lines) {
    count()
    yield line
  }
}

/** Yields the lines that are not in `others`. Both must be in archive order. */
async function* without(
  lines: AsyncIterable<ArchivedLine>,
  others: AsyncGenerator<ArchivedLine>,
): AsyncGenerator<ArchivedLine> {
  try {
    let other = await others.next()
    for await (const line of lines) {
      while (!other.done && isBefore(other.value, line)) other = await others.next()
      if (other.done || other.value.text !== line.text) yield line
    }
  } finally {
    await others.return(undefined)
  }
}
