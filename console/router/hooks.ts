import { createContext, useCallback, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { PageLocation, PathParams } from './location.ts'
import type { Router } from './router.ts'

export const RouterContext = createContext<Router | undefined>(undefined)
export const PlaceContext = createContext<{ location: PageLocation; params: PathParams } | undefined>(undefined)

export function useRouter(): Router {
  return requireValue(useContext(RouterContext))
}

/** Returns the function that opens an absolute path. The function is the same on every render. */
export function useNavigate(): Router['navigate'] {
  return useRouter().navigate
}

export function useLocation(): PageLocation {
  return requireValue(useContext(PlaceContext)).location
}

/** Returns the decoded parameters of the path, such as `id`. */
export function useParams(): { [name: string]: string | undefined } {
  return requireValue(useContext(PlaceContext)).params
}

type SetQuery = (
  change: Record<string, string> | ((query: URLSearchParams) => URLSearchParams),
  options?: { replace?: boolean },
) => void

/**
 * Returns the query of the URL, and a function that changes the query and keeps the path. After the user has opened
 * another path, the function does nothing. A change would cancel that navigation, or change the other page's query.
 */
export function useSearchParams(): [URLSearchParams, SetQuery] {
  const router = useRouter()
  const { pathname, search } = useLocation()
  const query = useMemo(() => new URLSearchParams(search), [search])
  const setQuery = useCallback<SetQuery>(
    (change, options) => {
      const { location, next } = router.get()
      if ((next ?? location).pathname !== pathname) return
      const nextQuery = typeof change === 'function' ? change(query) : new URLSearchParams(change)
      void router.navigate(`${pathname}?${nextQuery}`, options)
    },
    [router, pathname, query],
  )
  return [query, setQuery]
}

/**
 * Blocks navigations within the console if `blocks` returns true. While a navigation is blocked, returns the functions
 * that continue or cancel the navigation; otherwise undefined.
 */
export function useBlocker(
  blocks: (from: PageLocation, to: PageLocation) => boolean,
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

function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('must be used inside RouterProvider')
  return value
}
