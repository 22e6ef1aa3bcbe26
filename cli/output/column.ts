import type { Texts } from '../texts.ts'
import type { Format } from './format.ts'

/** Color of a value on a terminal. */
export type Tone = 'good' | 'warn' | 'bad' | 'money' | 'faint'

/** A column of a list, or a line of a single record. */
export interface Column<T> {
  /** Name in `--columns`, such as `quota-left`; its title is the text `column.quota-left`. */
  name: string
  /** Id of another title, for a column whose Chinese title differs from the text `column.<name>`. */
  title?: string
  value: (row: T, format: Format) => string
  tone?: (row: T) => Tone | undefined
  align?: 'right'
  /** Initial width in a table that is printed line by line, in which later values are unknown. */
  room?: number
  /** Returns the sort key if it differs from the displayed value, such as the seconds of `60 min`. */
  sort?: (row: T) => number | string
  /** True if values may be truncated on a narrow terminal. The terminal UI truncates wide values of any column. */
  cut?: true
  /** Order of hiding. Narrow terminals first hide columns without a rank, then columns with the highest rank. */
  rank?: number
  /** True for a column that is only in the view of a single record. */
  detail?: true
}

/** Returns the title of a column in the language of the texts. */
export const titleOf = (
  { name, title = name }: Pick<Column<never>, 'name' | 'title'>,
  texts: Pick<Texts, 'title'>,
): string => texts.title(title)

/** Converts a title to a word for `--columns`: `Quota left` becomes `quota-left`. */
export const columnNameOf = (title: string): string => title.replaceAll(' ', '-').toLowerCase()

const MONEY = /\$\d+\.(\d+)/

/** Returns the column with the same number of decimals in all money amounts, so that their decimal points align. */
export function withOnePrecision<T>(column: Column<T>, rows: readonly T[], format: Format): Column<T> {
  const digits = rows.map((row) => MONEY.exec(column.value(row, format))?.[1]?.length ?? 0)
  const digitsMax = Math.max(0, ...digits)
  if (digits.every((count) => count === 0 || count === digitsMax)) return column
  const precise = format.withCents(digitsMax)
  return { ...column, value: (row) => column.value(row, precise) }
}
