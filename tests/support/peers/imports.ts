import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { GATEWAY } from '../../../core/actor.ts'
import type { ImportRequest } from '../../../core/import/imports.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { whenDone } from '../lifetime.ts'
import { createPostgresDatabase } from '../postgres.ts'
import { type DatabaseKind, type TestToolkit, testFolder } from '../toolkit.ts'
import { createNewApiDatabase, type PeerSize } from './new-api.js'

export const ACTOR = { ...GATEWAY, origin: { address: 'terminal', osUser: 'operator' } }

/** Creates a database of new-api, modified by `change`. */
export async function peer(size: PeerSize = {}, change = ''): Promise<string> {
  const file = join(await testFolder(), 'one-api.db')
  await createNewApiDatabase(file, size)
  if (change) await edit(file, change)
  return file
}

/** Modifies a SQLite file from outside the gateway. */
export function edit(file: string, sql: string): Promise<void> {
  return new Promise((done, fail) => {
    const db = new sqlite3.Database(file)
    db.exec(sql, (error) => db.close(() => (error ? fail(error) : done())))
  })
}

/** Opens a database without a root user, the usual import target. */
export async function openEmpty(database: DatabaseKind): Promise<TestToolkit['toolkit']> {
  const dataFolder = await testFolder()
  const databaseUrl = database === 'sqlite' ? `sqlite:${join(dataFolder, 'new.db')}` : await createPostgresDatabase()
  const toolkit = await openToolkit({ databaseUrl, secret: 'a secret of this test', dataFolder })
  whenDone(() => toolkit.close())
  return toolkit
}

export async function importFrom(toolkit: TestToolkit['toolkit'], file: string, request: Partial<ImportRequest> = {}) {
  const source = await openSource(file)
  try {
    return await toolkit.imports.run(ACTOR, { product: 'new-api', source, logs: 'all', ...request })
  } finally {
    await source.close()
  }
}

export const tableOf = (report: { tables: { table: string }[] }, name: string) =>
  report.tables.find(({ table }) => table === name) as Awaited<ReturnType<typeof importFrom>>['tables'][number]
