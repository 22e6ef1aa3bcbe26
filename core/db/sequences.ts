import type { Database } from './database.ts'
import { requireRow } from './require-row.ts'

interface OwnedSequence {
  table: string
  column: string
  sequence: string
}

/** A sequence whose next value already exists in the table. The next insert would violate the primary key. */
export interface SequenceBehind extends OwnedSequence {
  /** The next value of the sequence. */
  next: number
  /** The largest value in the table. */
  largest: number
}

/**
 * Finds sequences that are behind their tables. A failover to a replica or a data-only restore can cause this.
 * Returns none for SQLite, which never allocates an id below the largest one.
 */
export async function findSequencesBehind(db: Pick<Database, 'kind' | 'reader'>): Promise<SequenceBehind[]> {
  const { kind, reader } = db
  if (kind !== 'postgres') return []
  const { rows } = await reader.raw<{ rows: OwnedSequence[] }>(`
    SELECT owner.relname AS "table", attribute.attname AS "column", sequence.relname AS sequence
    FROM pg_class sequence
    JOIN pg_depend ON pg_depend.objid = sequence.oid AND pg_depend.classid = 'pg_class'::regclass
      AND pg_depend.deptype IN ('a', 'i')
    JOIN pg_class owner ON owner.oid = pg_depend.refobjid
    JOIN pg_attribute attribute ON attribute.attrelid = owner.oid AND attribute.attnum = pg_depend.refobjsubid
    WHERE sequence.relkind = 'S' AND owner.relnamespace = current_schema()::regnamespace
    ORDER BY owner.relname`)
  const behind: SequenceBehind[] = []
  for (const { table, column, sequence } of rows) {
    const result = await reader.raw<{ rows: { next: number; largest: number | null }[] }>(
      `SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next,
        (SELECT max(??) FROM ??) AS largest FROM ??`,
      [column, table, sequence],
    )
    const { next, largest } = requireRow(result.rows[0])
    if (largest !== null && largest >= next) behind.push({ table, column, sequence, next, largest })
  }
  return behind
}

/** Sets sequences that are behind to the largest value of their tables. Returns the repaired sequences. */
export async function repairSequences(db: Database): Promise<SequenceBehind[]> {
  const behind = await findSequencesBehind(db)
  for (const { table, column, sequence } of behind) {
    await db.transaction(async (trx) => {
      // Block inserts, so that the largest value stays the same until the sequence is set.
      await trx.raw('LOCK TABLE ?? IN SHARE ROW EXCLUSIVE MODE', [table])
      await trx.raw('SELECT setval(?::regclass, GREATEST((SELECT max(??) FROM ??), (SELECT last_value FROM ??)))', [
        sequence,
        column,
        table,
        sequence,
      ])
    })
  }
  return behind
}
