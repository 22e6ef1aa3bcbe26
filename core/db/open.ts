import type { Database, OpenOptions } from './database.ts'

/** Opens `sqlite:path` or `postgres://…`. Throws CONFIG_INVALID, DATABASE_*, DATA_FOLDER_UNWRITABLE. */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  if (!url.startsWith('sqlite:')) return (await import('./postgres.ts')).openPostgres(url, options)
  return (await import('./sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
}
