import { useSearchParams } from 'react-router-dom'
import type { ListPage } from '../api/list-page.ts'
import { readStored, writeStored } from '../storage.ts'

export const PAGE_SIZES = [10, 20, 50, 100] as const
const PAGE_SIZE_DEFAULT = 10

export interface Paging extends ListPage {
  /** `replace`: back shall not lead to where it was. */
  go: (page: number, pageSize: number, options?: { replace?: boolean }) => void
}

/** The page of a list stands in the address, so that back and reload keep it; the size that was chosen last is kept too. */
export function usePaging(): Paging {
  const [query, setQuery] = useSearchParams()
  const page = wholeNumber(query.get('p')) ?? 1
  const asked = wholeNumber(query.get('size'))
  const pageSize = isPageSize(asked) ? asked : (readStored('page-size', isPageSize) ?? PAGE_SIZE_DEFAULT)
  return {
    page,
    pageSize,
    go(page, pageSize, { replace = false } = {}) {
      if (isPageSize(pageSize)) writeStored('page-size', pageSize)
      setQuery(
        (query) => {
          const next = new URLSearchParams(query)
          next.set('p', String(page))
          next.set('size', String(pageSize))
          return next
        },
        { replace },
      )
    },
  }
}

/**
 * Filters that stand in the address. All are texts; an empty one is not written. To change one is to go back to the
 * first page.
 */
export function useFilters<Filters extends Record<string, string>>(
  none: Filters,
): {
  filters: Filters
  /** `replace`: back shall not lead through each stage of what was typed. */
  setFilters: (change: Partial<Filters>, options?: { replace?: boolean }) => void
  clear: () => void
  filtered: boolean
} {
  const [query, setQuery] = useSearchParams()
  const names = Object.keys(none) as (keyof Filters & string)[]
  const filters = { ...none }
  for (const name of names) filters[name] = (query.get(name) ?? none[name]) as Filters[typeof name]
  const setFilters = (change: Partial<Filters>, { replace = false } = {}) =>
    setQuery(
      (query) => {
        const next = new URLSearchParams(query)
        next.delete('p')
        for (const [name, value] of Object.entries(change)) {
          if (value === undefined || value === none[name]) next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace },
    )
  return {
    filters,
    setFilters,
    clear: () => setFilters(none),
    filtered: names.some((name) => filters[name] !== none[name]),
  }
}

function wholeNumber(text: string | null): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

function isPageSize(value: unknown): value is (typeof PAGE_SIZES)[number] {
  return PAGE_SIZES.some((size) => size === value)
}
