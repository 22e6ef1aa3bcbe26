import { useCallback } from 'react'
import type { Page } from '../../core/input.ts'
import type { Column } from '../output/column.ts'
import { sortRows } from '../output/listing.ts'
import { useLoaded } from './use-loaded.ts'

/** Number of rows per page. Only the pages around the cursor are loaded. */
const PAGE_SIZE = 100
/** Number of rows per page of a sorted list, of which all pages are loaded. */
const SORTED_PAGE_SIZE = 1000
/** Maximum number of rows of a sorted list, which are sorted in memory. Later rows of a larger list are not loaded. */
const SORTED_MAX = 20_000

export interface ListQuery {
  page: number
  pageSize: number
  keyword: string
}

/** Sort column; `sign` is -1 for descending. */
export interface RowOrder<T> {
  column: Column<T>
  sign: 1 | -1
}

/** The loaded part of a list. */
export interface RowWindow<T> {
  /** Index of the first loaded row in the list, from 0. */
  first: number
  rows: readonly T[]
  /** Number of rows that the cursor can reach. */
  total: number
  /** Number of rows of the whole list, if the list is too long to sort. */
  unsortedTotal?: number
}

interface Props<T> {
  load(query: ListQuery): Promise<Page<T>>
  keyword: string
  order: RowOrder<T> | undefined
  /** Index of the row to load. */
  at: number
  /** Number of rows to load before and after this row. */
  height: number
  everyMs: number | undefined
  hidden: boolean
}

/** Loads the pages around a row, or all pages of a sorted list. Never returns rows of an earlier search. */
export function useWindow<T>({ load, keyword, order, at, height, everyMs, hidden }: Props<T>) {
  const from = Math.floor(Math.max(0, at - height) / PAGE_SIZE) + 1
  const to = Math.floor((at + height) / PAGE_SIZE) + 1
  const [firstPage, lastPage] = order ? [0, 0] : [from, to]
  const column = order?.column
  const sign = order?.sign ?? 1
  const fetch = useCallback(async () => {
    const window = column
      ? await loadSorted(load, keyword, { column, sign })
      : await loadPages(load, keyword, { firstPage, lastPage })
    return { query: { load, keyword, column, sign }, window }
  }, [load, keyword, column, sign, firstPage, lastPage])
  const loaded = useLoaded(fetch, { everyMs, hidden })
  const query = loaded.data?.query
  const isCurrent = query?.load === load && query.keyword === keyword && query.column === column && query.sign === sign
  return { ...loaded, window: isCurrent ? loaded.data?.window : undefined }
}

async function loadPages<T>(
  load: Props<T>['load'],
  keyword: string,
  { firstPage, lastPage }: { firstPage: number; lastPage: number },
): Promise<RowWindow<T>> {
  const first = await load({ page: firstPage, pageSize: PAGE_SIZE, keyword })
  // If the list has become shorter, its last page is loaded.
  const end = Math.max(1, Math.ceil(first.total / PAGE_SIZE))
  if (firstPage > end) return loadPages(load, keyword, { firstPage: end, lastPage: end })
  const rows = [...first.items]
  for (let page = firstPage + 1; page <= Math.min(lastPage, end); page += 1) {
    rows.push(...(await load({ page, pageSize: PAGE_SIZE, keyword })).items)
  }
  return { first: (firstPage - 1) * PAGE_SIZE, rows, total: first.total }
}

async function loadSorted<T>(load: Props<T>['load'], keyword: string, order: RowOrder<T>): Promise<RowWindow<T>> {
  const rows: T[] = []
  let listTotal = 0
  for (let page = 1; rows.length < SORTED_MAX; page += 1) {
    const { items, total } = await load({ page, pageSize: SORTED_PAGE_SIZE, keyword })
    rows.push(...items)
    listTotal = total
    if (items.length === 0 || rows.length >= total) break
  }
  const isCut = rows.length >= SORTED_MAX && listTotal > rows.length
  return {
    first: 0,
    rows: sortRows(rows, order.column, order.sign),
    total: rows.length,
    ...(isCut && { unsortedTotal: listTotal }),
  }
}
