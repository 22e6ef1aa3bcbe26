import { isObject, type Json } from '../../json.ts'
import { refuse } from '../refuse.ts'

/** A field by its camelCase name; Google's APIs take snake_case just as well, and so do we. */
export function field(object: Readonly<Json>, name: string): unknown {
  return object[name] ?? object[knownSnakeCase(name)]
}

/** Of the names that this code looks for: they are few, and looked for in each part of a request. */
const KNOWN = new Map<string, string>()

function knownSnakeCase(name: string): string {
  let known = KNOWN.get(name)
  if (known === undefined) {
    known = snakeCase(name)
    KNOWN.set(name, known)
  }
  return known
}

export function snakeCase(name: string): string {
  // Most names are one word; a regular expression for each would cost more than all else.
  if (name.toLowerCase() === name) return name
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const SCHEMAS = ['parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema']
/** What callers name themselves: there, both spellings may stand side by side. */
const CALLERS_OWN = new Set(['args', 'response', 'labels', ...SCHEMAS, ...SCHEMAS.map(snakeCase)])

/** Refuses a field that is there in both spellings: we would go by one of them, and the upstream by the other. */
export function checkSpellings(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) checkSpellings(item)
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    const snake = snakeCase(name)
    if (snake !== name && snake in value) refuse(`${name} and ${snake} are the same field: send one of them`)
    if (!CALLERS_OWN.has(name)) checkSpellings(value[name])
  }
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
