import type { Database } from './database.ts'

/** The schema that the tables are in. */
const SCHEMA = 'public'

/** Renames the schema with all tables, and makes an empty one in its place: the data stays, out of the way. */
export async function setSchemaAside(db: Database, name: string): Promise<void> {
  await db.transaction(async (trx) => {
    await db.unhurried(trx)
    await trx.raw('ALTER SCHEMA ?? RENAME TO ??', [SCHEMA, name])
    await trx.raw('CREATE SCHEMA ??', [SCHEMA])
  })
}

/** Undoes `setSchemaAside`: drops what is there by now. */
export async function bringSchemaBack(db: Database, name: string): Promise<void> {
  await db.transaction(async (trx) => {
    await db.unhurried(trx)
    await trx.raw('DROP SCHEMA ?? CASCADE', [SCHEMA])
    await trx.raw('ALTER SCHEMA ?? RENAME TO ??', [name, SCHEMA])
  })
}

/** Throws away what was set aside. */
export async function dropSchema(db: Database, name: string): Promise<void> {
  await db.transaction((trx) => trx.raw('DROP SCHEMA ?? CASCADE', [name]))
}
