import { createContext, useCallback, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Location, Params } from './location.ts'
import type { Router } from './router.ts'

export const RouterContext = createContext<Router | undefined>(undefined)
export const PlaceContext = createContext<{ location: Location; params: Params } | undefined>(undefined)

export function useRouter(): Router {
  return present(useContext(RouterContext))
}

/** Returns the function that opens an absolute path. It is always the same. */
export function useNavigate(): Router['navigate'] {
  return useRouter().navigate
}

export function useLocation(): Location {
  return present(useContext(PlaceContext)).location
}

/** Returns the decoded parts of the path, such as `id`. */
export function useParams(): { [name: string]: string | undefined } {
  return present(useContext(PlaceContext)).params
}

type SetQuery = (
  change: Record<string, string> | ((query: URLSearchParams) => URLSearchParams),
  options?: { replace?: boolean },
) => void

/**
 * Returns the query of the URL, and the function that changes it and keeps the path. The function does nothing once the
 * user has left for another path: it would cancel that navigation, or change the query of the other page.
 */
export function useSearchParams(): [URLSearchParams, SetQuery] {
  const router = useRouter()
  const { pathname, search } = useLocation()
  const query = useMemo(() => new URLSearchParams(search), [search])
  const setQuery = useCallback<SetQuery>(
    (change, options) => {
      const { location, next } = router.get()
      if ((next ?? location).pathname !== pathname) return
      const changed = typeof change === 'function' ? change(query) : new URLSearchParams(change)
      void router.navigate(`${pathname}?${changed}`, options)
    },
    [router, pathname, query],
  )
  return [query, setQuery]
}

/** Blocks navigations within the console. Returns the two replies to the question, while one is blocked. */
export function useBlocker(
  blocks: (from: Location, to: Location) => boolean,
): { proceed: () => void; stay: () => void } | undefined {
  const router = useRouter()
  const [proceed, setProceed] = useState<() => void>()
  const decide = useEffectEvent(blocks)
  useEffect(
    () => router.guard({ blocks: (from, to) => decide(from, to), ask: (proceed) => setProceed(() => proceed) }),
    [router],
  )
  if (!proceed) return undefined
  const stay = () => setProceed(undefined)
  return {
    proceed() {
      stay()
      proceed()
    },
    stay,
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('must be used inside RouterProvider')
  return value
}
