import type { ListPage } from '../../api/list-page.ts'

const PAGE_SIZE = 100
/** Less than a third of the requests that a browser may send in three minutes, so the console stays usable. */
const PAGES_MAX = 50

export interface EveryPage<Row> {
  rows: Row[]
  /** More rows exist. */
  cut: boolean
  /** The error that stopped loading, if any. */
  failure?: unknown
}

/** Loads all rows of a list page by page, up to five thousand. Keeps the loaded rows if a page fails. */
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
