/**
 * Names and values in turn, as `ServerResponse.writeHead` accepts them; each name once, or clients would get it twice. Not an
 * object: merging objects costs more than writing the head.
 */
export type HeaderList = readonly (string | number)[]

export const NO_HEADERS: HeaderList = []

export function headerList(headers: Readonly<Record<string, string | number>>): HeaderList {
  return Object.entries(headers).flat()
}
