import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { fromJson, type JsonText } from '../json.ts'
import { countRows } from '../page.ts'
import type { CopiedTable } from './tables.ts'

const TABLE = 'copy_changes'
const OPERATIONS = ['INSERT', 'UPDATE', 'DELETE'] as const

/** Primary keys of changed rows, by table. */
export type ChangedKeys = Map<string, unknown[][]>

/** Installs triggers that record which rows of the source change. Replaces triggers that a killed copy has left. */
export async function installTriggers(db: Database, tables: readonly CopiedTable[]): Promise<void> {
  await removeTriggers(db, tables)
  await db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
    await trx.schema.createTable(TABLE, (table) => {
      table.bigIncrements('id')
      table.string('table_name').notNullable()
      table.text('row_key').notNullable()
    })
  })
  // Install the triggers of one table at a time, so that each transaction waits only for writers of this table.
  for (const table of tables) {
    await db.transaction(async (trx) => {
      for (const statement of triggersOf(db.kind, table)) await trx.raw(statement)
    })
  }
}

/** Returns the number of changes recorded for a running or killed copy. Returns undefined if there is no copy. */
export async function countChangesOfCopy(db: Pick<Database, 'reader'>): Promise<number | undefined> {
  return (await db.reader.schema.hasTable(TABLE)) ? countChanges(db) : undefined
}

/** Removes the triggers and the recorded changes. */
export async function removeTriggers(db: Database, tables: readonly CopiedTable[]): Promise<void> {
  if (!(await db.reader.schema.hasTable(TABLE))) return
  for (const { table } of tables) {
    await db.transaction(async (trx) => {
      for (const operation of OPERATIONS) {
        const name = triggerName(table, operation)
        await trx.raw(
          db.kind === 'sqlite' ? `DROP TRIGGER IF EXISTS ${name}` : `DROP TRIGGER IF EXISTS ${name} ON "${table}"`,
        )
      }
      if (db.kind === 'postgres') await trx.raw(`DROP FUNCTION IF EXISTS copy_note_${table}()`)
    })
  }
  await db.transaction((trx) => trx.schema.dropTableIfExists(TABLE))
}

/** Deletes and returns the oldest changes. The caller must read the changed rows in this transaction or afterward. */
export async function popChanges(trx: Knex.Transaction, limit: number): Promise<{ keys: ChangedKeys; count: number }> {
  const changes: { id: number; table_name: string; row_key: JsonText<unknown[]> }[] = await trx(TABLE)
    .orderBy('id')
    .limit(limit)
    .select('id', 'table_name', 'row_key')
  // Delete by id, because a change with a smaller id may be committed after the SELECT.
  const ids = changes.map(({ id }) => id)
  await trx(TABLE).whereIn('id', ids).delete()
  const unique = new Map(changes.map((change) => [`${change.table_name} ${change.row_key}`, change]))
  const keys: ChangedKeys = new Map()
  for (const { table_name, row_key } of unique.values()) {
    keys.set(table_name, [...(keys.get(table_name) ?? []), fromJson(row_key)])
  }
  return { keys, count: changes.length }
}

export const countChanges = ({ reader }: Pick<Database, 'reader'>): Promise<number> => countRows(reader(TABLE))

const triggerName = (table: string, operation: string): string => `copy_${table}_${operation.toLowerCase()}`

function triggersOf(kind: Database['kind'], { table, key }: CopiedTable): string[] {
  const array = (row: 'NEW' | 'OLD') => {
    const columns = key.map((column) => `${row}."${column}"`).join(', ')
    return kind === 'sqlite' ? `json_array(${columns})` : `json_build_array(${columns})::text`
  }
  const note = (row: 'NEW' | 'OLD') => `INSERT INTO ${TABLE} (table_name, row_key) VALUES ('${table}', ${array(row)});`
  const notes = { INSERT: note('NEW'), DELETE: note('OLD'), UPDATE: `${note('OLD')} ${note('NEW')}` }
  if (kind === 'sqlite') {
    return OPERATIONS.map(
      (operation) =>
        `CREATE TRIGGER ${triggerName(table, operation)} AFTER ${operation} ON "${table}" BEGIN ${notes[operation]} END`,
    )
  }
  return [
    `CREATE OR REPLACE FUNCTION copy_note_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP <> 'INSERT' THEN ${notes.DELETE} END IF;
      IF TG_OP <> 'DELETE' THEN ${notes.INSERT} END IF;
      RETURN NULL; END $$`,
    ...OPERATIONS.map(
      (operation) =>
        `CREATE TRIGGER ${triggerName(table, operation)} AFTER ${operation} ON "${table}"
          FOR EACH ROW EXECUTE FUNCTION copy_note_${table}()`,
    ),
  ]
}
