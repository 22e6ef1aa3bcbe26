/** A row as a driver returns it: any column can be NULL, or of another type than it should be. */
export type SourceRow = Readonly<Record<string, unknown>>

/** A database of another program. Nothing is ever written to it. */
export interface Source {
  readonly kind: 'sqlite' | 'mysql' | 'postgres'
  /** For messages and the list of imports: the address without its password. */
  readonly name: string
  /** Column names of a table in lower case; empty if there is no such table. */
  columns(table: string): Promise<string[]>
  /** Names of all tables. */
  tables(): Promise<string[]>
  /** Quotes an identifier. */
  quote(name: string): string
  query(sql: string): Promise<SourceRow[]>
  /** Runs the work in one read transaction: all of it sees the same moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Rows of a table by ascending id, in batches. `from` and `to` are ids, both included. */
export async function* readBatches(
  source: Source,
  table: string,
  { from = Number.MIN_SAFE_INTEGER, to, limit, idColumn = 'id' }: ReadRange,
): AsyncGenerator<SourceRow[]> {
  const id = source.quote(idColumn)
  const upTo = to === undefined ? '' : ` AND ${id} <= ${to}`
  let next = from
  for (;;) {
    const rows = await source.query(
      `SELECT * FROM ${source.quote(table)} WHERE ${id} >= ${next}${upTo} ORDER BY ${id} LIMIT ${limit}`,
    )
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    next = Number(rows.at(-1)?.[idColumn]) + 1
  }
}

export interface ReadRange {
  from?: number
  to?: number
  limit: number
  idColumn?: string
}

/** All rows of a table that has an id, in the order of the ids. */
export async function readAll(source: Source, table: string): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const batch of readBatches(source, table, { limit: 20_000 })) for (const row of batch) rows.push(row)
  return rows
}
