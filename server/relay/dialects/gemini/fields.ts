import { isObject, type Json } from '../../json.ts'
import { refuse } from '../refuse.ts'

/** Returns a field by its camelCase name, or by its snake_case name, which Google's APIs also accept. */
export function field(object: Readonly<Json>, name: string): unknown {
  return object[name] ?? object[knownSnakeCase(name)]
}

/** Cached, since a few names are looked up in every part of a request. */
const KNOWN = new Map<string, string>()

function knownSnakeCase(name: string): string {
  let known = KNOWN.get(name)
  if (known === undefined) {
    known = snakeCase(name)
    KNOWN.set(name, known)
  }
  return known
}

/** Google's names have fewer capitals. */
const MANY_CAPITALS = /^(?:[^A-Z]*[A-Z]){9}/

export function snakeCase(name: string): string {
  // Most names are one word, and a regular expression for each would dominate the cost.
  if (name.toLowerCase() === name || MANY_CAPITALS.test(name)) return name
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const SCHEMAS = ['parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema']
/** Objects with names of the client's choice, which may include both spellings. */
const CLIENT_NAMED_OBJECTS = new Set(['args', 'response', 'labels', ...SCHEMAS, ...SCHEMAS.map(snakeCase)])

/** Rejects a field in both spellings: the gateway and the upstream could read different ones. */
export function checkSpellings(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) checkSpellings(item)
  if (!isObject(value)) return
  const names = Object.keys(value)
  const hasSnakes = names.some((name) => name.includes('_'))
  for (const name of names) {
    const snake = hasSnakes ? snakeCase(name) : name
    if (snake !== name && snake in value) refuse(`${name} and ${snake} are the same field: send one of them`)
    if (!CLIENT_NAMED_OBJECTS.has(name)) checkSpellings(value[name])
  }
}

/** Removes a field in either spelling. */
export function withoutField(object: Readonly<Json>, name: string): Json {
  const { [name]: _, [snakeCase(name)]: __, ...rest } = object
  return rest
}

/** Returns the `contents` of a request; a single object counts as a list of one. */
export function contentsOf(body: Readonly<Json>): unknown[] {
  const { contents } = body
  if (contents === undefined || contents === null) return []
  return Array.isArray(contents) ? contents : [contents]
}
