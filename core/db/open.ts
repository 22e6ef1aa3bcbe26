import type { Database } from './database.ts'

/** Opens `sqlite:path` or `postgres://…`. Throws CONFIG_INVALID, DATABASE_UNREACHABLE, DATA_FOLDER_UNWRITABLE. */
export async function openDatabase(url: string): Promise<Database> {
  if (!url.startsWith('sqlite:')) return (await import('./postgres.ts')).openPostgres(url)
  return (await import('./sqlite.ts')).openSqlite(url.slice('sqlite:'.length))
}
