declare const shape: unique symbol

/** JSON text of a value with this shape. The tables in core/tables declare the shapes of their columns, so readers get them. */
export type Json<T> = string & { readonly [shape]: T }

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

/** Parses a column. Only this program writes such columns, so their values are not checked. */
export function fromJson<T>(text: Json<T>): T {
  return JSON.parse(text) as T
}
