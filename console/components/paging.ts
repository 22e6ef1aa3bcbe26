import { useMemo } from 'react'
import type { ListPage } from '../api/list-page.ts'
import { useSearchParams } from '../router/hooks.ts'
import { withParameters } from '../router/location.ts'
import { readStored, writeStored } from '../storage.ts'
import type { Sorting } from './data-table/sorting.ts'

export const PAGE_SIZES = [10, 20, 50, 100] as const
const PAGE_SIZE_DEFAULT = 10

export interface PagingState extends ListPage, Sorting {
  /** Opens a page. With `replace`, the browser's back button skips the page that was open before. */
  go: (page: number, pageSize: number, options?: { replace?: boolean }) => void
}

/** Stores a list's page and order in the URL, so back and reload restore them. Stores the page size in the browser. */
export function usePaging(): PagingState {
  const [query, setQuery] = useSearchParams()
  const page = wholeNumber(query.get('p')) ?? 1
  const size = wholeNumber(query.get('size'))
  const pageSize = isPageSize(size) ? size : (readStored('page-size', isPageSize) ?? PAGE_SIZE_DEFAULT)
  return {
    page,
    pageSize,
    sort: query.get('sort') ?? '',
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    sortBy: (sort, order) =>
      setQuery((query) => {
        const sorting = sort === '' ? { sort: undefined, order: undefined } : { sort, order }
        return withParameters(query, { p: undefined, ...sorting })
      }),
    go(page, pageSize, { replace = false } = {}) {
      if (isPageSize(pageSize)) writeStored('page-size', pageSize)
      setQuery((query) => withParameters(query, { p: String(page), size: String(pageSize) }), { replace })
    },
  }
}

export interface FilterState<Filters extends Record<string, string>> {
  filters: Filters
  /** Changes filters. With `replace`, the browser's back button skips the previous filters, such as unfinished text. */
  setFilters: (change: Partial<Filters>, options?: { replace?: boolean }) => void
  clear: () => void
  filtered: boolean
  /** Number of active filters. */
  count: number
  /** Properties for a `FilterBar`. */
  bar: {
    values: Filters
    count: number
    onSearch: (change: Partial<Filters>) => void
    onClear: (() => void) | undefined
  }
}

/** Stores filters in the URL as text. Omits filters that equal their default. A change goes to the first page. */
export function useFilters<Filters extends Record<string, string>>(defaults: Filters): FilterState<Filters> {
  const [query, setQuery] = useSearchParams()
  // Returns the same object until the URL changes, so that components that depend on the object do not rerender.
  const filters = useMemo(() => {
    const entries = Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value])
    return Object.fromEntries(entries) as Filters
  }, [query, defaults])
  const setFilters = (change: Partial<Filters>, { replace = false } = {}) => {
    const entries = Object.entries(change).map(([name, text]) => [name, text === defaults[name] ? undefined : text])
    setQuery((query) => withParameters(query, { p: undefined, ...Object.fromEntries(entries) }), { replace })
  }
  const count = Object.keys(defaults).filter((name) => filters[name] !== defaults[name]).length
  const clear = () => setFilters(defaults)
  const bar = { values: filters, count, onSearch: setFilters, onClear: count > 0 ? clear : undefined }
  return { filters, setFilters, clear, filtered: count > 0, count, bar }
}

function wholeNumber(text: string | null): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

function isPageSize(value: unknown): value is (typeof PAGE_SIZES)[number] {
  return PAGE_SIZES.some((size) => size === value)
}
