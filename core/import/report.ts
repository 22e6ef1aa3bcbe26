/** What became of one table. `target` sums count what this import brought; `source` sums what the source has. */
export interface TableReport {
  table: string
  /** Rows of the source. */
  rows: number
  imported: number
  /** Rows that an earlier import of this source brought. */
  known: number
  /** Known rows that have changed at the source since. */
  updated: number
  skipped: number
  /** Sums of columns: of the source, and of what is in the target after the import. Equal unless `differences` says why. */
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

/** A model that the source charged otherwise than this gateway will, for the same use. Ratios of one token, or dollars per call. */
export interface PriceNote {
  model: string
  source: string
  target: string
}

/** What an import has done, or would do. Lists are cut at LISTED_MAX when they are stored, never when they are returned. */
export interface ImportReport {
  product: Product
  source: string
  dryRun: boolean
  /** Of the import; 0 for a dry run. */
  id: number
  /** Whether this source was imported before. */
  again: boolean
  tables: TableReport[]
  /** Rows that are not imported, and why. */
  skipped: RowNote[]
  /** Rows that are imported with another value than they had. */
  changed: RowNote[]
  /** Rows with another id than at the source. */
  remapped: { table: string; from: number; to: number }[]
  options: OptionNote[]
  prices: PriceNote[]
  /** Columns of the source that have no place here. */
  unknownColumns: { table: string; columns: string[] }[]
  unknownTables: string[]
  /** What the operator should know about the whole. */
  warnings: string[]
  /** The newest log row of the source: the next import with --since-last begins behind it. */
  lastLogId?: number
}

export type Product = 'new-api' | 'one-api' | 'litellm'
export const LISTED_MAX = 1000

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

/** The report as it is stored: lists of rows are cut. */
export function storedReport(report: ImportReport): string {
  const cut = <T>(list: T[]) => list.slice(0, LISTED_MAX)
  return JSON.stringify({
    ...report,
    skipped: cut(report.skipped),
    changed: cut(report.changed),
    remapped: cut(report.remapped),
  })
}
