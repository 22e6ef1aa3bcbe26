/** A page's URL within this origin, encoded as in the address bar. */
export interface Location {
  pathname: string
  /** Empty, or starts with `?`. */
  search: string
  /** Empty, or starts with `#`. */
  hash: string
}

export type Params = Readonly<Record<string, string>>

/** Returns the location of an absolute path, with its query and fragment. */
export function locationOf(path: string): Location {
  const { pathname, search, hash } = new URL(path, window.location.origin)
  return { pathname, search, hash }
}

export const pathOf = ({ pathname, search, hash }: Location): string => pathname + search + hash

/**
 * Returns the decoded parameters of a pattern such as `/team/:id`; undefined if it does not match. Ignores case and
 * slashes at the end.
 */
export function matchPath(pattern: string, pathname: string): Params | undefined {
  const expected = segmentsOf(pattern)
  const given = segmentsOf(pathname)
  if (expected.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, name] of expected.entries()) {
    const segment = decoded(given[place] ?? '')
    if (name.startsWith(':')) params[name.slice(1)] = segment
    else if (name.toLowerCase() !== segment.toLowerCase()) return undefined
  }
  return params
}

/**
 * Returns a path that matches the pattern in the pattern's spelling, without slashes at the end. Parameters stay as they
 * are.
 */
export function canonicalPath(pattern: string, pathname: string): string {
  const given = segmentsOf(pathname)
  const segments = segmentsOf(pattern).map((name, place) => (name.startsWith(':') ? given[place] : name))
  return segments.join('/') || '/'
}

const segmentsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // a stray percent sign
  }
}
