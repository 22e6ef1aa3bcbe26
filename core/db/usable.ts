import { requireNotUnfinished } from './copy/unfinished.ts'
import type { Database } from './database.ts'
import { requireNotForeign, requireNotNewer } from './migrate.ts'

/** Throws DATABASE_NEWER, DATABASE_FOREIGN or DATABASE_UNFINISHED for a database that must not be used. Only reads. */
export async function requireUsable(db: Database): Promise<void> {
  await requireNotNewer(db)
  await requireNotForeign(db)
  await requireNotUnfinished(db)
}
