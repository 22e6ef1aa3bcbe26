import type { Params } from '../errors.ts'

/**
 * Replaces each `{name}` by its parameter, or by nothing if absent. A part such as `[ in {name} s]`, with more than the name in its
 * brackets, is omitted without its parameter.
 */
export function fill(template: string, params: Params): string {
  return template
    .replace(/\[(?!\{\w+\}\])([^[\]]*\{(\w+)\}[^[\]]*)\]/g, (_, part: string, name: string) =>
      params[name] === undefined ? '' : part,
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}
