import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import type { Database } from './database.ts'
import { MIGRATIONS, type MigrationContext } from './migrations/list.ts'

const LOCK_ID = 7_286_441_902

/** The migrations of this database that this program does not have, oldest first: it was written by a newer version. */
async function unknownMigrations(db: Knex): Promise<string[]> {
  if (!(await db.schema.hasTable('migrations'))) return []
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const applied = (await db('migrations').orderBy('id').select('name')) as { name: string }[]
  return applied.map(({ name }) => name).filter((name) => !known.has(name))
}

/** Throws DATABASE_NEWER when a newer Tollgate has migrated this database. Reads only. */
export async function refuseNewer({ reader, name }: Pick<Database, 'reader' | 'name'>): Promise<void> {
  const [migration] = await unknownMigrations(reader)
  if (migration) throw new GatewayError('DATABASE_NEWER', { database: name, migration })
}

/** Tables that this program shares by name with its relatives. */
const SHARED_TABLES = ['users', 'tokens', 'channels', 'logs', 'options']
/** Columns that tell who made the table `tokens`. */
const MAKERS = [
  { product: 'new-api', column: 'model_limits_enabled' },
  { product: 'one-api', column: 'subnet' },
] as const
const LITELLM_TABLE = 'LiteLLM_VerificationToken'

/** Throws DATABASE_FOREIGN if another program has made this database: a migration would fail in it, or spoil it. Reads only. */
export async function refuseForeign({ reader, name }: Pick<Database, 'reader' | 'name'>): Promise<void> {
  if ((await pendingMigrations(reader)).length < MIGRATIONS.length) return
  if (await reader.schema.hasTable(LITELLM_TABLE)) throw foreign(name, 'litellm')
  const found = await Promise.all(SHARED_TABLES.map((table) => reader.schema.hasTable(table)))
  if (!found.includes(true)) return
  const columns = found[1] ? await reader('tokens').columnInfo() : {}
  throw foreign(name, MAKERS.find(({ column }) => column in columns)?.product)
}

function foreign(database: string, product: 'new-api' | 'one-api' | 'litellm' | undefined): GatewayError {
  if (product === undefined) return new GatewayError('DATABASE_FOREIGN', { database, product: 'another program' })
  const source = product === 'litellm' ? `<config.yaml> --source-database ${database}` : database
  const command = `tollgate import ${product} ${source}`
  return new GatewayError('DATABASE_FOREIGN', { database, product, name: product, command })
}

/** The migrations still to be applied, in order. Reads only. */
export async function pendingMigrations(db: Knex): Promise<string[]> {
  const applied = (await db.schema.hasTable('migrations'))
    ? new Set(((await db('migrations').select('name')) as { name: string }[]).map(({ name }) => name))
    : new Set<string>()
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name))
}

/**
 * Applies what is missing, all in one transaction under a lock: of several processes that start together one migrates,
 * the others wait and find nothing left to do; a crash half-way leaves the database as it was.
 */
export async function migrate(db: Database, context: MigrationContext): Promise<void> {
  if ((await pendingMigrations(db.reader)).length === 0) return
  await db.transaction(async (trx) => {
    await db.unhurried(trx)
    if (db.kind === 'postgres') await trx.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_ID])
    if (!(await trx.schema.hasTable('migrations'))) {
      await trx.schema.createTable('migrations', (table) => {
        table.increments('id')
        table.string('name').notNullable().unique()
        table.bigInteger('applied_at').notNullable()
      })
    }
    const pending = new Set(await pendingMigrations(trx))
    for (const { name, up } of MIGRATIONS) {
      if (!pending.has(name)) continue
      await up(trx, context)
      await trx('migrations').insert({ name, applied_at: Math.floor(Date.now() / 1000) })
    }
  })
}
