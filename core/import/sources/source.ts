/** A row as a driver returns it. Columns may be NULL or have an unexpected type. */
export type SourceRow = Readonly<Record<string, unknown>>

/** A read-only database of another program. */
export interface Source {
  readonly kind: 'sqlite' | 'mysql' | 'postgres'
  /** The address without its password, for messages and the list of imports. */
  readonly name: string
  /** Returns the column names of a table in lower case. The list is empty if there is no such table. */
  columns(table: string): Promise<string[]>
  tables(): Promise<string[]>
  /** Returns a table or column name quoted for SQL. */
  quote(name: string): string
  query(sql: string): Promise<SourceRow[]>
  /** Runs the work in one read transaction with a consistent snapshot. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Returns SQL for the sum of a column. On SQLite, uses TOTAL, because SUM fails if the sum exceeds 64 bits. */
export const sumSqlOf = (source: Pick<Source, 'kind' | 'quote'>, column: string): string =>
  `${source.kind === 'sqlite' ? 'TOTAL' : 'SUM'}(${source.quote(column)})`

/** Yields rows of a table by ascending id, in batches. `from` and `to` are inclusive ids. */
export async function* readBatches(
  source: Source,
  table: string,
  { from = Number.MIN_SAFE_INTEGER, to, limit, idColumn = 'id' }: ReadRange,
): AsyncGenerator<SourceRow[], undefined> {
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

interface ReadRange {
  from?: number
  to?: number
  limit: number
  idColumn?: string
}

/** Returns all rows of a table with an id column, by ascending id. */
export async function readAll(source: Source, table: string): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const batch of readBatches(source, table, { limit: 20_000 })) for (const row of batch) rows.push(row)
  return rows
}
