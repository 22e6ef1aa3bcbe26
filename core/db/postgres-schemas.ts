import type { Database } from './database.ts'

/** The schema of the tables. */
const SCHEMA = 'public'

/** Renames the schema with all its tables, so that the old data is kept. Then creates an empty schema. */
export async function renameSchemaAway(db: Database, name: string): Promise<void> {
  await db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
    await trx.raw('ALTER SCHEMA ?? RENAME TO ??', [SCHEMA, name])
    await trx.raw('CREATE SCHEMA ??', [SCHEMA])
  })
}

/** Undoes `renameSchemaAway`: drops the new schema and renames the old one back. */
export async function restoreSchema(db: Database, name: string): Promise<void> {
  await db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
    await trx.raw('DROP SCHEMA ?? CASCADE', [SCHEMA])
    await trx.raw('ALTER SCHEMA ?? RENAME TO ??', [name, SCHEMA])
  })
}

export async function dropSchema(db: Database, name: string): Promise<void> {
  await db.transaction((trx) => trx.raw('DROP SCHEMA ?? CASCADE', [name]))
}
