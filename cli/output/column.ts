import type { Format } from './format.ts'

/** Color of a value on a terminal. */
export type Tone = 'good' | 'warn' | 'bad' | 'money' | 'faint'

/** A column of a list, or a line of a single record. */
export interface Column<T> {
  /** Name in `--columns`, such as `quota-left`; its title is `column.quota-left`. */
  name: string
  value: (row: T, format: Format) => string
  tone?: (row: T) => Tone | undefined
  align?: 'right'
  /** Width in a table that grows line by line, whose later values are unknown when its titles are printed. */
  room?: number
  /** Sort key, if not the displayed value, such as the seconds of `60 min`. */
  sort?: (row: T) => number | string
  /** Whether a narrow terminal may truncate it. */
  cut?: true
  /** Narrow terminals hide columns without a rank first, then those with the highest rank. */
  rank?: number
  /** Only in the view of a single record. */
  detail?: true
}

/** A title as a word of `--columns`: `Quota left` is quota-left. */
export const wordOf = (title: string): string => title.replaceAll(' ', '-').toLowerCase()
