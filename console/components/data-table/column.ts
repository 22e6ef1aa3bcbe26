import type { ReactNode } from 'react'

export interface TableColumn<Row> {
  /** Identifies the column in this browser's stored column choice. */
  key: string
  title: string
  /** Content of a cell. `place` counts records on the page from 1. Absent: the cell shows `value`. */
  render?: (row: Row, place: number) => ReactNode
  /** The plain value, for CSV. A column without `value` is not exported. */
  value?: (row: Row) => string | number | boolean
  align?: 'left' | 'right' | 'center'
  /** Side at which the column remains visible during horizontal scrolling. For the record's name and its buttons. */
  fixed?: 'left' | 'right'
  /** Width of the widest usual content, in pixels. Default 120. */
  width?: number
  /** The column uses the remaining width. */
  grow?: true
  /** Whether the cell of this row also covers the empty cells after it. */
  spans?: (row: Row) => boolean
  /** The server's name of the column for sorting; absent if the server cannot sort by the column. */
  sort?: string
  /** Hidden by default. */
  hidden?: true
  /** In a narrow table, columns of the highest rank are hidden first. Columns of rank 0, the default, stay visible. */
  rank?: number
  /** Without `rank`, the column gets a medium rank. */
  wideOnly?: true
  /** On a card, the field is shown before the other fields. */
  early?: true
  /** The user cannot hide the column, such as the column with the buttons. */
  fixedPlace?: true
}

const WIDTH_PX = 120
const RANK_MIDDLE = 5

/** Returns the column width in pixels: the larger width of the content and of the longest word in the title. */
export function widthOf({
  width = WIDTH_PX,
  title,
  sort,
}: Pick<TableColumn<never>, 'width' | 'title' | 'sort'>): number {
  const longest = Math.max(...title.split(/\s+/).map(textWidth))
  return Math.max(width, Math.ceil(longest) + PADDING_PX + (sort === undefined ? 0 : SORT_PX))
}

/** Returns the rank for hiding. A column with rank 0 is never hidden for lack of width. */
export const rankOf = ({ rank, wideOnly, fixedPlace }: Pick<TableColumn<never>, 'rank' | 'wideOnly' | 'fixedPlace'>) =>
  fixedPlace ? 0 : (rank ?? (wideOnly ? RANK_MIDDLE : 0))

const LETTER_PX = 7.5
const HAN_PX = 13
/** Left and right padding of a cell together. */
const PADDING_PX = 16
/** Width of the arrow in a sortable header. */
const SORT_PX = 16

/** Estimates the width of a text in a table, in pixels. */
export const textWidth = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? HAN_PX : LETTER_PX), 0)
