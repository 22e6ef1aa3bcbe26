import type { Json } from '../../json.ts'

/** A field by its camelCase name; Google's APIs take snake_case just as well, and so do we. */
export function field(object: Readonly<Json>, name: string): unknown {
  return object[name] ?? object[snakeCase(name)]
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Without a field, however it is spelled. */
export function withoutField(object: Readonly<Json>, name: string): Json {
  const { [name]: _, [snakeCase(name)]: __, ...rest } = object
  return rest
}

/** The `contents` of a request: a lone object is one content. */
export function contentsOf(body: Readonly<Json>): unknown[] {
  const { contents } = body
  if (contents === undefined || contents === null) return []
  return Array.isArray(contents) ? contents : [contents]
}
