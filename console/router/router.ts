import type { ComponentType } from 'react'
import { createStore } from '../store.ts'
import { createHistory, currentLocation } from './history.ts'
import { canonicalPath, matchPath, type PageLocation, type PathParams, pageLocationOf } from './location.ts'

interface Route {
  /** A pattern such as `/team/:id`. */
  path: string
  /**
   * Loads the page. After a failure, the next navigation calls `load` again. Routes with the same `load` are one page,
   * which keeps its state between these routes.
   */
  load: () => Promise<ComponentType>
}

interface RouterState {
  /** The open location. Its path has the spelling of the route, also in the address bar. */
  location: PageLocation
  params: PathParams
  /** Undefined until the code of the first page is loaded. */
  Page: ComponentType | undefined
  /** The location whose code is loading. The last page remains until the code is loaded. */
  next: PageLocation | undefined
  /** The kind of navigation that led to `location`. `pop` means back, forward or the first page. */
  action: Action
}

type Action = 'push' | 'replace' | 'pop'

/** A guard can block navigations that would discard input. */
interface Guard {
  blocks: (from: PageLocation, to: PageLocation) => boolean
  /** Receives the function that continues a blocked navigation, and undefined after any completed navigation. */
  ask: (proceed: (() => void) | undefined) => void
}

export type Router = ReturnType<typeof createRouter>

/**
 * Creates the router, which opens pages and updates the browser's history. A page is shown when its code is loaded. A
 * later navigation cancels a navigation whose page is still loading.
 */
export function createRouter(routes: readonly Route[], notFound: Route['load']) {
  const pages = new Map<Route['load'], ComponentType>()
  const guards = new Set<Guard>()
  const canonical = (location: PageLocation): PageLocation => {
    const pathname = pageAt(routes, location.pathname)?.pathname ?? location.pathname
    return pathname === location.pathname ? location : { ...location, pathname }
  }
  const start = canonical(currentLocation())
  const state = createStore<RouterState>({
    location: start,
    params: {},
    Page: undefined,
    next: undefined,
    action: 'pop',
  })
  const history = createHistory(({ location: entered, undo }) => {
    const location = canonical(entered)
    let redo = () => {}
    if (undo && isBlocked(location, () => redo())) redo = undo()
    else void openLocation(location, 'pop')
  })
  let navigations = 0
  /** True if the user has agreed to lose input. Guards must not ask again until the navigation is complete. */
  let hasAgreed = false
  void openLocation(start, 'pop')

  return {
    get: state.get,
    subscribe: state.subscribe,
    /** Opens an absolute path. Resolves when the page is shown, or when the navigation is blocked or canceled. */
    async navigate(to: string, { replace = false } = {}): Promise<void> {
      const location = canonical(pageLocationOf(to))
      const go = () => openLocation(location, replace ? 'replace' : 'push')
      if (!isBlocked(location, () => void go())) await go()
    },
    /** Adds a guard and returns the function that removes it. Of several guards, the last guard decides. */
    guard(guard: Guard): () => void {
      guards.add(guard)
      return () => guards.delete(guard)
    },
  }

  async function openLocation(location: PageLocation, action: Action): Promise<void> {
    const navigation = ++navigations
    const { load, params } = pageAt(routes, location.pathname) ?? { load: notFound, params: {} }
    let Page = pages.get(load)
    if (!Page) {
      state.set({ ...state.get(), next: location })
      let isLoaded = true
      Page = await load().catch((error: unknown) => {
        isLoaded = false
        return failingPage(error)
      })
      if (navigation !== navigations) return
      if (isLoaded) pages.set(load, Page)
    }
    if (action !== 'pop') history[action](location)
    else if (location.pathname !== currentLocation().pathname) history.replace(location)
    hasAgreed = false
    for (const { ask } of guards) ask(undefined)
    state.set({ location, params, Page, next: undefined, action })
  }

  function isBlocked(to: PageLocation, proceed: () => void): boolean {
    const guard = hasAgreed ? undefined : [...guards].at(-1)
    if (!guard?.blocks(state.get().location, to)) return false
    guard.ask(() => {
      hasAgreed = true
      proceed()
    })
    return true
  }
}

/** Returns a page that throws the error while it renders, so that the boundary shows the failure. */
const failingPage = (error: unknown) => (): never => {
  throw error
}

interface FoundPage extends Pick<Route, 'load'> {
  params: PathParams
  pathname: string
}

function pageAt(routes: readonly Route[], pathname: string): FoundPage | undefined {
  for (const { path, load } of routes) {
    const params = matchPath(path, pathname)
    if (params) return { load, params, pathname: canonicalPath(path, pathname) }
  }
  return undefined
}
