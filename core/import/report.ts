import { type JsonText, toJson } from '../db/json.ts'

/** Result for one table. */
export interface TableReport {
  table: string
  /** Number of rows of the source. */
  rows: number
  imported: number
  /** Number of rows that an earlier import of this source created. */
  known: number
  /** Number of known rows that were updated, because they had changed at the source. */
  updated: number
  skipped: number
  /** Sums by column, over all rows of the source and the corresponding rows of the target. Empty if not compared. */
  sums: Record<string, { source: number; target: number }>
}

export interface RowNote {
  table: string
  id: number
  what: string
}

export interface OptionNote {
  key: string
  outcome: 'imported' | 'same' | 'kept' | 'without effect' | 'unknown' | 'invalid'
  what: string
}

/** A model with another price here than at the source. Prices are ratios per token, or dollars per call. */
export interface PriceNote {
  model: string
  source: string
  target: string
}

/** Report of an import or a dry run. Its stored copy has at most LISTED_MAX entries per list of rows. */
export interface ImportReport {
  product: Product
  source: string
  dryRun: boolean
  /** Id of the import, or 0 for a dry run. */
  id: number
  /** Whether this source was imported before. */
  again: boolean
  tables: TableReport[]
  /** Rows that were not imported, with reasons. */
  skipped: RowNote[]
  /**
   * Rows that were imported with changed values. Also changes at the source that were not imported, because the row was
   * changed in this gateway.
   */
  changed: RowNote[]
  /** Rows whose id differs from the source. */
  remapped: { table: string; from: number; to: number }[]
  options: OptionNote[]
  prices: PriceNote[]
  /** Source columns without an equivalent in this gateway. */
  unknownColumns: { table: string; columns: string[] }[]
  unknownTables: string[]
  /** Warnings about the whole import. */
  warnings: string[]
  /** False if the import created the only root user. Absent for a dry run. */
  canUndo?: boolean
  /** Id of the newest log row of the source. The next import with --since-last begins after this id. */
  lastLogId?: number
}

export type Product = 'new-api' | 'one-api' | 'litellm'

/** Returns a product's name as the product itself writes it. */
export const titleOf = (product: Product): string => (product === 'litellm' ? 'LiteLLM' : product)

const LISTED_MAX = 1000

export function emptyReport(fields: Pick<ImportReport, 'product' | 'source' | 'dryRun'>): ImportReport {
  return {
    ...fields,
    id: 0,
    again: false,
    tables: [],
    skipped: [],
    changed: [],
    remapped: [],
    options: [],
    prices: [],
    unknownColumns: [],
    unknownTables: [],
    warnings: [],
  }
}

export function tableReport(table: string, rows: number): TableReport {
  return { table, rows, imported: 0, known: 0, updated: 0, skipped: 0, sums: {} }
}

/** Returns the report to store as JSON, with lists of rows limited to LISTED_MAX entries. */
export function storedReport(report: ImportReport): JsonText<ImportReport> {
  const cut = <T>(list: T[]) => list.slice(0, LISTED_MAX)
  return toJson({
    ...report,
    skipped: cut(report.skipped),
    changed: cut(report.changed),
    remapped: cut(report.remapped),
  })
}
