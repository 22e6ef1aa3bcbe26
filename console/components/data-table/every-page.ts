import type { ListPage } from '../../api/list-page.ts'

const PAGE_SIZE = 100
/** Less than a third of what a browser may ask of the server in three minutes: the console goes on working. */
const PAGES_MAX = 50

export interface EveryPage<Row> {
  rows: Row[]
  /** There are more. */
  cut: boolean
  /** Why there are not more rows here, where that was not their number. */
  failure?: unknown
}

/** All rows of a list, page by page, up to five thousand. What has come before a page failed is not lost. */
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
