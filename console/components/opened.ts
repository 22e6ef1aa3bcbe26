import { useSearchParams } from '../router/hooks.ts'

/** Keeps the open drawer's record in the URL: reload reopens it, and back closes it. */
export function useOpened(): { opened: string | undefined; open: (what: string | number) => void; close: () => void } {
  const [query, setQuery] = useSearchParams()
  return {
    opened: query.get('open') ?? undefined,
    open: (id) =>
      setQuery((query) => {
        const next = new URLSearchParams(query)
        next.set('open', String(id))
        return next
      }),
    close: () =>
      setQuery(
        (query) => {
          const next = new URLSearchParams(query)
          next.delete('open')
          return next
        },
        { replace: true },
      ),
  }
}
