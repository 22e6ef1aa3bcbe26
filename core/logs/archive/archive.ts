import { isAbsolute } from 'node:path'
import { type Actor, isGateway, ROLE, requireRole } from '../../actor.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Database } from '../../db/database.ts'
import { GatewayError } from '../../errors.ts'
import type { Sign } from '../../ledger/chain.ts'
import type { Logs } from '../logs.ts'
import type { ArchiveManifest } from './file.ts'

export type { ArchiveManifest } from './file.ts'

/** The log rows to archive, and the target folder. */
export interface ArchiveRequest {
  /** Absolute path. The folder is created if it does not exist. */
  folder: string
  /** Unix seconds. Older rows are archived. */
  before: number
  /** Whether to remove the rows from the log after their file is on disk. */
  remove: boolean
  signal?: AbortSignal | undefined
  /** Called with the number of log rows read so far. */
  onProgress?: ((rows: number) => void) | undefined
}

export interface ArchiveResult {
  /** Files that this run has written. */
  files: ArchiveManifest[]
  /** Number of rows in `files`. */
  rows: number
  /** Names of files of earlier runs that may contain some of the rows to archive. */
  earlier: string[]
  /** Number of rows removed from the log. */
  removed: number
}

/** Archives log rows in compressed files. */
export type LogArchive = ReturnType<typeof createLogArchive>

/** Loads the code for archiving on first use, because most commands do not need it. */
export const loadArchiving = () => import('./run.ts')

export function createLogArchive(parts: {
  db: Database
  /** Signs the chains of ledger entries. */
  sign: Sign
  audit: Audit
  logs: Pick<Logs, 'writeClearingRow'>
  now: () => number
}) {
  const { db, sign, audit, logs, now } = parts
  return {
    /**
     * Writes the rows older than `before` to one new file per month (UTC). Omits rows that a file in the folder already
     * contains. Administrators only.
     *
     * Throws PERMISSION_DENIED, CLEAR_TIME_MISSING, LOG_ARCHIVE_FOLDER, LOG_ARCHIVE_FAILED, LOG_ARCHIVE_DAMAGED, and
     * the reason of `signal` if it aborts. After an error, complete files stay. They contain all rows that were removed
     * from the log.
     */
    async archive(actor: Actor, request: ArchiveRequest): Promise<ArchiveResult> {
      requireRole(actor, ROLE.admin)
      const { folder, before, remove } = request
      if (before <= 0) throw new GatewayError('CLEAR_TIME_MISSING')
      if (!isAbsolute(folder)) throw new GatewayError('LOG_ARCHIVE_FOLDER', { path: folder })
      const { archiveRows } = await loadArchiving()
      const auditedFields = { rows_before: before, folder, removed: remove }
      await audit.writeAlone(actor, { action: 'log.archive', object: 'log', after: auditedFields })
      const result: ArchiveResult = { files: [], rows: 0, earlier: [], removed: 0 }
      try {
        await archiveRows({ db, actor, sign, now, result }, request)
      } finally {
        if (result.removed > 0 && !isGateway(actor)) await logs.writeClearingRow(actor, result.removed)
      }
      return result
    },
  }
}
