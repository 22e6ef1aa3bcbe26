declare const shape: unique symbol

/** JSON text of a value with this shape. The row types in core/tables use it, so that `fromJson` has the right type. */
export type JsonText<T> = string & { readonly [shape]: T }

export function toJson<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/** Parses a column. Only this program writes such columns, so their values are not checked. */
export function fromJson<T>(text: JsonText<T>): T {
  return JSON.parse(text)
}
