declare const shape: unique symbol

/** JSON text of a value with this shape. The row types in core/tables use `Json`, so that `fromJson` returns the right type. */
export type Json<T> = string & { readonly [shape]: T }

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

/** Parses a column. Only this program writes such columns, so their values are not checked. */
export function fromJson<T>(text: Json<T>): T {
  return JSON.parse(text)
}
