import type { Knex } from 'knex'
import { DEFAULT_DATABASE_URL } from '../config.ts'
import { GatewayError } from '../errors.ts'
import { titleOf } from '../import/report.ts'
import type { Database } from './database.ts'
import { MIGRATIONS, type MigrationContext } from './migrations/list.ts'

const LOCK_ID = 7_286_441_902

/** Returns the names of the applied migrations, oldest first. */
async function appliedMigrations(db: Knex): Promise<string[]> {
  return (await db.schema.hasTable('migrations')) ? db('migrations').orderBy('id').pluck('name') : []
}

/** Throws DATABASE_NEWER if a newer Tollgate has migrated this database. Only reads. */
export async function requireNotNewer({ reader, name }: Pick<Database, 'reader' | 'name'>): Promise<void> {
  const known = new Set(MIGRATIONS.map((migration) => migration.name))
  const migration = (await appliedMigrations(reader)).find((each) => !known.has(each))
  if (migration) throw new GatewayError('DATABASE_NEWER', { database: name, migration })
}

/** Names of tables that related programs also use. */
const SHARED_TABLES = ['users', 'tokens', 'channels', 'logs', 'options']
/** Columns of the table `tokens` that only one product has. */
const PRODUCT_COLUMNS = [
  { product: 'new-api', column: 'model_limits_enabled' },
  { product: 'one-api', column: 'subnet' },
] as const
const LITELLM_TABLE = 'LiteLLM_VerificationToken'

/** Throws DATABASE_FOREIGN if another program created this database, which a migration could damage. Only reads. */
export async function requireNotForeign({ reader, name }: Pick<Database, 'reader' | 'name'>): Promise<void> {
  if ((await pendingMigrations(reader)).length < MIGRATIONS.length) return
  if (await reader.schema.hasTable(LITELLM_TABLE)) throw foreignError(name, 'litellm')
  const existing = await Promise.all(SHARED_TABLES.map((table) => reader.schema.hasTable(table)))
  if (!existing.includes(true)) return
  const columns = existing[1] ? await reader('tokens').columnInfo() : {}
  throw foreignError(name, PRODUCT_COLUMNS.find(({ column }) => column in columns)?.product)
}

function foreignError(database: string, product: 'new-api' | 'one-api' | 'litellm' | undefined): GatewayError {
  if (product === undefined) return new GatewayError('DATABASE_FOREIGN', { database })
  const source = product === 'litellm' ? `<config.yaml> --source-database ${database}` : database
  // Name the target in the command, because DATABASE_URL may be the address of the foreign database.
  const command = `tollgate import ${product} ${source} --database ${DEFAULT_DATABASE_URL}`
  return new GatewayError('DATABASE_FOREIGN', { database, product: titleOf(product), command })
}

/** Returns the migrations to apply, in order. Only reads. */
export async function pendingMigrations(db: Knex): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db))
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name))
}

/**
 * Applies missing migrations in one locked transaction. If several processes start together, one migrates and the
 * others wait. A crash leaves the database unchanged. Returns whether migrations were missing.
 */
export async function migrate(db: Database, context: MigrationContext): Promise<boolean> {
  if ((await pendingMigrations(db.reader)).length === 0) return false
  await db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
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
  return true
}
