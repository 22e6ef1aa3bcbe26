import type { Knex } from 'knex'
import { addDigests, type CopiedRow, digestRows, NO_ROWS, type RowsDigest } from './rows.ts'
import type { CopiedTable } from './tables.ts'

/** Number of ids in one part of a table. */
const IDS_PER_PART = 20_000
const WHOLE_TABLE = -1

/** Result of comparing a table of both databases. */
export interface TableProof {
  table: string
  rows: number
  sums: Record<string, number>
  /** 16 hexadecimal digits. */
  digest: string
  equal: boolean
}

/** Compares tables in parts. Skips parts that were equal before and have not changed since. */
export type TableComparison = ReturnType<typeof createComparison>

export function createComparison() {
  const equalParts = new Map<string, Map<number, RowsDigest>>()
  const partsOf = (table: string) => {
    const parts = equalParts.get(table) ?? new Map<number, RowsDigest>()
    equalParts.set(table, parts)
    return parts
  }

  return {
    /** Marks a row as changed, so that its part is compared again. */
    touch({ table, hasId }: CopiedTable, [id]: readonly unknown[]): void {
      partsOf(table).delete(hasId ? Math.floor(Number(id) / IDS_PER_PART) : WHOLE_TABLE)
    },
    /** Compares the parts that are new, changed or not yet equal. */
    async compare(source: Knex, target: Knex, table: CopiedTable): Promise<TableProof> {
      const equalDigests = partsOf(table.table)
      let total = NO_ROWS
      let equal = true
      for (const part of await partNumbers(source, target, table)) {
        let digest = equalDigests.get(part)
        if (!digest || part === WHOLE_TABLE) {
          const [inSource, inTarget] = [await digestPart(source, table, part), await digestPart(target, table, part)]
          if (inSource.hash !== inTarget.hash || inSource.rows !== inTarget.rows) equal = false
          else equalDigests.set(part, inSource)
          digest = inSource
        }
        total = addDigests(total, digest)
      }
      const [inSource, inTarget] = [await sumsOf(source, table), await sumsOf(target, table)]
      const sums = { ...inSource }
      delete sums.rows
      return {
        table: table.table,
        rows: inSource.rows ?? 0,
        sums,
        digest: total.hash.toString(16).padStart(16, '0'),
        equal: equal && JSON.stringify(inSource) === JSON.stringify(inTarget) && total.rows === inSource.rows,
      }
    },
  }
}

async function partNumbers(source: Knex, target: Knex, { table, hasId }: CopiedTable): Promise<number[]> {
  if (!hasId) return [WHOLE_TABLE]
  const bounds = await Promise.all(
    [source, target].map((db) => db(table).min({ low: 'id' }).max({ high: 'id' }).first()),
  )
  const ids = bounds.flatMap((row) => (row?.low == null ? [] : [Number(row.low), Number(row.high)]))
  if (ids.length === 0) return []
  const [first, last] = [Math.floor(Math.min(...ids) / IDS_PER_PART), Math.floor(Math.max(...ids) / IDS_PER_PART)]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

async function digestPart(db: Knex, table: CopiedTable, part: number): Promise<RowsDigest> {
  const rows: CopiedRow[] = await db(table.table)
    .modify((query) => {
      if (part !== WHOLE_TABLE) query.where('id', '>=', part * IDS_PER_PART).where('id', '<', (part + 1) * IDS_PER_PART)
    })
    .select(...table.columns)
  return digestRows(table, rows)
}

async function sumsOf(db: Knex, { table, sums }: CopiedTable): Promise<Record<string, number>> {
  const row = await db(table)
    .count({ rows: '*' })
    .modify((query) => {
      for (const column of sums) query.sum({ [column]: column })
    })
    .first()
  return Object.fromEntries(['rows', ...sums].map((column) => [column, Number(row?.[column] ?? 0)]))
}
