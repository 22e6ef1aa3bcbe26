import type { ListPage } from '../../api/list-page.ts'

const PAGE_SIZE = 100
/**
 * Maximum number of pages to load. The server accepts more than three times as many calls from one browser in three
 * minutes, so the console remains usable.
 */
const PAGES_MAX = 50

export interface EveryPage<Row> {
  rows: Row[]
  /** True if the list has more rows than `rows`. */
  cut: boolean
  /** The error that stopped loading, if any. */
  failure?: unknown
}

/**
 * Loads up to 5000 rows of a list, page by page. If a page fails to load, returns the rows of the earlier pages. Throws
 * if the first page fails.
 */
export async function everyPage<Row>(
  fetchPage: (page: ListPage) => Promise<{ items: Row[]; total: number }>,
): Promise<EveryPage<Row>> {
  const rows: Row[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    try {
      const { items, total } = await fetchPage({ page, pageSize: PAGE_SIZE })
      rows.push(...items)
      if (items.length === 0 || rows.length >= total) return { rows, cut: false }
    } catch (failure) {
      if (rows.length === 0) throw failure
      return { rows, cut: true, failure }
    }
  }
  return { rows, cut: true }
}
