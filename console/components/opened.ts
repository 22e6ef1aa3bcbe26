import { useSearchParams } from '../router/hooks.ts'
import { withParameters } from '../router/location.ts'

/**
 * Stores in the URL which record a drawer shows, so that a reload reopens the drawer and back closes it. `opened` is
 * the last value passed to `open`: the record's id, or a word such as `new`. `opened` is undefined while the drawer is
 * closed.
 */
export function useOpened(): { opened: string | undefined; open: (what: string | number) => void; close: () => void } {
  const [query, setQuery] = useSearchParams()
  return {
    opened: query.get('open') ?? undefined,
    open: (what) => setQuery((query) => withParameters(query, { open: String(what) })),
    close: () => setQuery((query) => withParameters(query, { open: undefined }), { replace: true }),
  }
}
