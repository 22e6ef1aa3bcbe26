import { FIRST_SCREEN } from './first-screen.ts'
import { matchPath } from './router/location.ts'

/** Pages for visitors: sign-in does not return to them. */
const ENTRIES = ['/', '/login', '/register', '/reset', '/user/reset', '/oauth/:provider']

interface Place {
  pathname: string
  search: string
  hash: string
}

/** Returns the login path, which returns to this page; with `expired` it reports an ended session. */
export function loginPath({ pathname, search, hash }: Place, { expired }: { expired: boolean }): string {
  // On the login page itself, keep its return path.
  const path = matchPath('/login', pathname) ? returnPath(search) : safePath(pathname + search + hash)
  const query = new URLSearchParams()
  if (expired) query.set('expired', 'true')
  if (path !== undefined && path !== FIRST_SCREEN) query.set('to', path)
  const text = query.toString()
  return text === '' ? '/login' : `/login?${text}`
}

/** Returns the page to open after sign-in: the path in the URL if it belongs to this console, else undefined. */
export function returnPath(search: string): string | undefined {
  const to = new URLSearchParams(search).get('to')
  return to === null ? undefined : safePath(to)
}

/** Returns the query with the return path, for links between account pages. */
export function withReturnPath(search: string): string {
  const to = returnPath(search)
  return to === undefined ? '' : `?${new URLSearchParams({ to })}`
}

/** Returns a path of this origin as browsers parse it; `//host`, `/\host` and URLs with a scheme lead elsewhere. */
function safePath(path: string): string | undefined {
  const base = 'http://console.invalid'
  if (!path.startsWith('/') || !URL.canParse(path, base)) return undefined
  const { origin, pathname, search, hash } = new URL(path, base)
  if (origin !== base || pathname.startsWith('//')) return undefined
  if (ENTRIES.some((entry) => matchPath(entry, pathname))) return undefined
  return pathname + search + hash
}
