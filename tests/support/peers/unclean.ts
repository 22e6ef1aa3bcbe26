import { copyFile, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sqlite3 from 'sqlite3'
import { testFolder } from '../toolkit.ts'
import { createNewApiDatabase } from './new-api.js'

/**
 * Returns a database of new-api as a killed process leaves it. With WAL, the log contains changes that are not in the
 * file. With DELETE, the file has half-written pages, and the journal can undo them.
 */
export async function uncleanDatabase(journal: 'WAL' | 'DELETE'): Promise<string> {
  const running = join(await testFolder(), 'one-api.db')
  await createNewApiDatabase(running, { journal })
  const db = new sqlite3.Database(running)
  const exec = (sql: string) =>
    new Promise<void>((done, fail) => db.exec(sql, (error) => (error ? fail(error) : done())))
  if (journal === 'WAL') {
    await exec(`PRAGMA wal_autocheckpoint = 0; UPDATE users SET quota = 77 WHERE id = 3`)
  } else {
    // A cache of one page makes SQLite write changed pages before the commit.
    await exec(
      `PRAGMA cache_size = 1; BEGIN; UPDATE users SET quota = 77; UPDATE logs SET content = hex(randomblob(300))`,
    )
  }
  const folder = await testFolder()
  for (const name of await readdir(dirname(running))) {
    if (name.startsWith(basename(running))) await copyFile(join(dirname(running), name), join(folder, name))
  }
  await new Promise((done) => db.close(done))
  return join(folder, basename(running))
}
