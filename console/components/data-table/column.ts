import type { ReactNode } from 'react'

export interface Column<Row> {
  /** Identifies the column in this browser's stored column choice. */
  key: string
  title: string
  /** Absent: shows `value`. */
  render?: (row: Row, place: number) => ReactNode
  /** The plain value, for CSV; a column without one is not exported. */
  value?: (row: Row) => string | number | boolean
  align?: 'left' | 'right' | 'center'
  /** Stays visible during horizontal scrolling: the record's name and its buttons. */
  fixed?: 'left' | 'right'
  /** Width in pixels of the widest usual content. */
  width?: number
  /** Uses the remaining width. */
  grow?: true
  /** Whether the content for a row also uses the empty cells after it. */
  spans?: (row: Row) => boolean
  /** The server's name for sorting by this column; absent if it cannot. */
  sort?: string
  /** Hidden by default. */
  hidden?: true
  /** If the table is too narrow, columns with the highest rank are hidden first. Absent: never hidden. */
  rank?: number
  /** Same as a medium `rank`. */
  wideOnly?: true
  /** On a card, shown before the other fields, as is the record's name. */
  early?: true
  /** Cannot be hidden, like the column with the buttons. */
  fixedPlace?: true
}

const WIDTH_PX = 120
const RANK_MIDDLE = 5

/** Returns the column width in pixels: that of its content, or at least that of the longest word in its title. */
export function widthOf({ width = WIDTH_PX, title, sort }: Pick<Column<never>, 'width' | 'title' | 'sort'>): number {
  const longest = Math.max(...title.split(/\s+/).map(textWidth))
  return Math.max(width, Math.ceil(longest) + PADDING_PX + (sort === undefined ? 0 : SORT_PX))
}

/** Returns the rank for hiding; 0 is never hidden. */
export const rankOf = ({ rank, wideOnly, fixedPlace }: Pick<Column<never>, 'rank' | 'wideOnly' | 'fixedPlace'>) =>
  fixedPlace ? 0 : (rank ?? (wideOnly ? RANK_MIDDLE : 0))

const LETTER_PX = 7.5
const HAN_PX = 13
/** Both paddings of a cell. */
const PADDING_PX = 16
/** The arrow of a sortable header. */
const SORT_PX = 16

/** Estimates the width of a text in a table, in pixels. */
export const textWidth = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? HAN_PX : LETTER_PX), 0)
