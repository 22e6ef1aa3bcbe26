/**
 * Header names and values, alternating, as `ServerResponse.writeHead` accepts them. Each name must occur only once, because
 * clients get every entry. This is an array, because merging objects costs more than writing the head.
 */
export type HeaderList = readonly (string | number)[]

export const NO_HEADERS: HeaderList = []

export function headerList(headers: Readonly<Record<string, string | number>>): HeaderList {
  return Object.entries(headers).flat()
}
