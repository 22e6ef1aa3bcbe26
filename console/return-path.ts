import { FIRST_SCREEN } from './first-screen.ts'
import { matchPath, type PageLocation } from './router/location.ts'

/** Pages to which sign-in does not return, because these pages are for visitors. */
const VISITOR_PATHS = ['/', '/login', '/register', '/reset', '/user/reset', '/oauth/:provider']

/**
 * Returns the path of the login page, with a query that makes sign-in return to the given page. With `expired`, the
 * login page reports that the session has ended.
 */
export function loginPath({ pathname, search, hash }: PageLocation, { expired }: { expired: boolean }): string {
  // If the page is the login page itself, keep the return path in its query.
  const path = matchPath('/login', pathname) ? returnPath(search) : safePath(pathname + search + hash)
  const query = new URLSearchParams()
  if (expired) query.set('expired', 'true')
  if (path !== undefined && path !== FIRST_SCREEN) query.set('to', path)
  const text = query.toString()
  return text === '' ? '/login' : `/login?${text}`
}

/** Returns the path to open after sign-in, from the query; undefined if it is missing or leads outside this console. */
export function returnPath(search: string): string | undefined {
  const to = new URLSearchParams(search).get('to')
  return to === null ? undefined : safePath(to)
}

/** Returns a query with only the return path, for links between account pages; empty if there is no return path. */
export function withReturnPath(search: string): string {
  const to = returnPath(search)
  return to === undefined ? '' : `?${new URLSearchParams({ to })}`
}

/**
 * Returns the path as browsers parse it. Undefined for visitor pages and for paths that lead to another origin:
 * `//host`, `/\host` and URLs with a scheme.
 */
function safePath(path: string): string | undefined {
  const base = 'http://console.invalid'
  if (!path.startsWith('/') || !URL.canParse(path, base)) return undefined
  const { origin, pathname, search, hash } = new URL(path, base)
  if (origin !== base || pathname.startsWith('//')) return undefined
  if (VISITOR_PATHS.some((path) => matchPath(path, pathname))) return undefined
  return pathname + search + hash
}
