import type { Texts } from '../texts.ts'
import type { Format } from './format.ts'

/** Color of a value on a terminal. */
export type Tone = 'good' | 'warn' | 'bad' | 'money' | 'faint'

/** A column of a list, or a line of a single record. */
export interface Column<T> {
  /** Name in `--columns`, such as `quota-left`; its title is the text `column.quota-left`. */
  name: string
  /** Text of the title, if the text `column.<name>` has another meaning in Chinese. */
  title?: string
  value: (row: T, format: Format) => string
  tone?: (row: T) => Tone | undefined
  align?: 'right'
  /** Width in a table that is printed line by line, because later values are unknown when the titles are printed. */
  room?: number
  /** Returns the sort key if it differs from the displayed value, such as the seconds of `60 min`. */
  sort?: (row: T) => number | string
  /** Whether values may be truncated on a narrow terminal. */
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
