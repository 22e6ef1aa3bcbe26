/** The URL of a page, without the origin, encoded as in the address bar. */
export interface PageLocation {
  pathname: string
  /** Empty, or starts with `?`. */
  search: string
  /** Empty, or starts with `#`. */
  hash: string
}

export type PathParams = Readonly<Record<string, string>>

/** Parses a URL or an absolute path, which may have a query and a fragment. */
export function pageLocationOf(path: string): PageLocation {
  const { pathname, search, hash } = new URL(path, window.location.origin)
  return { pathname, search, hash }
}

/** Returns a copy of a query with the changed parameters. An undefined value removes its parameter. */
export function withParameters(query: URLSearchParams, changes: Record<string, string | undefined>): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}

export const pathOf = ({ pathname, search, hash }: PageLocation): string => pathname + search + hash

/**
 * Returns the decoded parameters of a path for a pattern such as `/team/:id`; undefined if the path does not match.
 * Ignores upper and lower case, and slashes at the end.
 */
export function matchPath(pattern: string, pathname: string): PathParams | undefined {
  const patternSegments = segmentsOf(pattern)
  const pathSegments = segmentsOf(pathname)
  if (patternSegments.length !== pathSegments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of patternSegments.entries()) {
    const segment = decodeSegment(pathSegments[index] ?? '')
    if (name.startsWith(':')) params[name.slice(1)] = segment
    else if (name.toLowerCase() !== segment.toLowerCase()) return undefined
  }
  return params
}

/** Returns a path in the spelling of its pattern, without slashes at the end. Keeps the parameters of the path. */
export function canonicalPath(pattern: string, pathname: string): string {
  const pathSegments = segmentsOf(pathname)
  const segments = segmentsOf(pattern).map((name, place) => (name.startsWith(':') ? pathSegments[place] : name))
  return segments.join('/') || '/'
}

const segmentsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/')

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // a percent sign that is not part of an encoded character
  }
}
