import { isRecord } from '../../../../core/records.ts'
import type { Json } from '../../json.ts'
import { refuse } from '../refuse.ts'

/** Returns a field by its camelCase name or its snake_case name. Google's APIs accept both. */
export function field(object: Readonly<Json>, name: string): unknown {
  return object[name] ?? object[cachedSnakeCase(name)]
}

/** Cache of converted names, because every part of a request needs the same few names. */
const SNAKE_CASE_NAMES = new Map<string, string>()

function cachedSnakeCase(name: string): string {
  let snakeName = SNAKE_CASE_NAMES.get(name)
  if (snakeName === undefined) {
    snakeName = snakeCase(name)
    SNAKE_CASE_NAMES.set(name, snakeName)
  }
  return snakeName
}

/** Matches names with nine or more capitals. Such names are not converted, because Google's names have fewer. */
const MANY_CAPITALS = /^(?:[^A-Z]*[A-Z]){9}/

export function snakeCase(name: string): string {
  // Most names are a single word, for which the regular expression would only cost time.
  if (name.toLowerCase() === name || MANY_CAPITALS.test(name)) return name
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const SCHEMAS = ['parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema']
/** Fields that contain an object whose field names the client chooses. Such an object may have both spellings. */
const CLIENT_NAMED_OBJECTS = new Set(['args', 'response', 'labels', ...SCHEMAS, ...SCHEMAS.map(snakeCase)])

/**
 * Throws REQUEST_MALFORMED if an object has a field in both spellings, because the gateway and the upstream could read
 * different values.
 */
export function checkSpellings(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) checkSpellings(item)
  if (!isRecord(value)) return
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

/** Returns the `contents` of a request as a list. A single object counts as a list of one. */
export function contentsOf(body: Readonly<Json>): unknown[] {
  const { contents } = body
  if (contents === undefined || contents === null) return []
  return Array.isArray(contents) ? contents : [contents]
}
