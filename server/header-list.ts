/**
 * Header names and values, alternating, as `ServerResponse.writeHead` accepts them. Each name must occur only once,
 * because clients get every entry. It is an array, because merging objects would cost more than writing the headers.
 */
export type HeaderList = readonly (string | number)[]

export const NO_HEADERS: HeaderList = []

export function headerList(headers: Readonly<Record<string, string | number>>): HeaderList {
  return Object.entries(headers).flat()
}
