import type { Format } from './format.ts'

/** How a value is coloured on a terminal. */
export type Tone = 'good' | 'bad' | 'faint'

/** A column of a list, and a line of a single record. */
export interface Column<T> {
  title: string
  value: (row: T, format: Format) => string
  tone?: (row: T) => Tone | undefined
  align?: 'right'
  /** What to order rows by where that is not the value as it is shown, such as the seconds of `60 min`. */
  sort?: (row: T) => number | string
  /** May be cut on a terminal that is too narrow. */
  cut?: true
  /** 1: the last that a terminal leaves out because it is too narrow. Without a rank it goes before those that have one. */
  rank?: number
  /** Only in the view of a single record. */
  detail?: true
}

/** What a column is called in `--columns`: `quota left` is quota-left. */
export const columnName = (title: string): string => title.replaceAll(' ', '-').toLowerCase()
