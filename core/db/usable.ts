import { refuseUnfinished } from './copy/unfinished.ts'
import type { Database } from './database.ts'
import { refuseNewer, requireNotForeign } from './migrate.ts'

/** Throws DATABASE_NEWER, DATABASE_FOREIGN or DATABASE_UNFINISHED if this program must not use the database. Only reads. */
export async function requireUsable(db: Database): Promise<void> {
  await refuseNewer(db)
  await requireNotForeign(db)
  await refuseUnfinished(db)
}
