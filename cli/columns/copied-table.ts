import type { Column } from '../output/column.ts'

/** A table that was copied or exported, with the sums of its columns. */
interface CopiedTable {
  table: string
  rows: number
  sums: Readonly<Record<string, unknown>>
}

export const COPIED_TABLE_COLUMNS: readonly Column<CopiedTable>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'rows', value: ({ rows }) => String(rows), align: 'right' },
  { name: 'sums', value: ({ sums }) => sumsText(sums) || '-' },
]

function sumsText(sums: CopiedTable['sums']): string {
  return Object.entries(sums)
    .map(([column, sum]) => `${column} ${sum}`)
    .join(', ')
}
