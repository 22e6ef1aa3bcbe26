import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../errors.ts'
import type { Database } from '../database.ts'

/** A table in the target that exists only during a copy. After a killed copy, it shows that the copy is unfinished. */
const TABLE = 'unfinished_copy'

interface UnfinishedCopy {
  /** The address of the source without its password. */
  source: string
  /** Unix seconds. */
  startedAt: number
}

/** Returns the running or killed copy to this database, or undefined if there is none. Only reads. */
export async function findUnfinishedCopy({ reader }: Pick<Database, 'reader'>): Promise<UnfinishedCopy | undefined> {
  if (!(await reader.schema.hasTable(TABLE))) return undefined
  const row = await reader(TABLE).first('source', 'started_at')
  return row && { source: row.source, startedAt: Number(row.started_at) }
}

/** Throws DATABASE_UNFINISHED if there is a running or killed copy to this database. Only reads. */
export async function requireNotUnfinished(db: Database): Promise<void> {
  const copy = await findUnfinishedCopy(db)
  if (copy) throw unfinishedCopyError(db, copy)
}

export function unfinishedCopyError(
  db: Pick<Database, 'kind' | 'name'>,
  { source, startedAt }: UnfinishedCopy,
): GatewayError {
  const time = new Date(startedAt * 1000).toISOString()
  const command = `tollgate db copy ${source} ${databaseAddressOf(db)}`
  return new GatewayError('DATABASE_UNFINISHED', { database: db.name, source, time, command })
}

/** Returns the address as `db copy` accepts it, without the password. */
export const databaseAddressOf = ({ kind, name }: Pick<Database, 'kind' | 'name'>): string =>
  kind === 'sqlite' ? `sqlite:${name}` : name

/** Marks the target as unfinished. Returns the id of this copy. */
export async function markUnfinished(target: Database, source: string): Promise<string> {
  const run = randomUUID()
  await target.transaction(async (trx) => {
    if (!(await trx.schema.hasTable(TABLE))) {
      await trx.schema.createTable(TABLE, (table) => {
        table.string('run', 36).notNullable()
        table.text('source').notNullable()
        table.bigInteger('started_at').notNullable()
      })
    }
    await trx(TABLE).delete()
    await trx(TABLE).insert({ run, source, started_at: Math.floor(Date.now() / 1000) })
  })
  return run
}

/** Removes the mark of this copy. Throws COPY_FAILED if another copy was started, which has emptied the tables. */
export async function removeMark(target: Database, run: string): Promise<void> {
  await target.transaction(async (trx) => {
    const removed = (await trx.schema.hasTable(TABLE)) ? await trx(TABLE).where({ run }).delete() : 0
    if (removed === 0)
      throw new GatewayError('COPY_FAILED', { target: target.name, reason: 'another copy to the target was started' })
    await trx.schema.dropTable(TABLE)
  })
}
