import { isRecord } from '../../core/records.ts'
import type { Json } from '../relay/json.ts'

/** Maximum depth of an example. Without a maximum, circular references would never end. */
const DEPTH_MAX = 8

const FORMATS: Record<string, string> = {
  date: '2025-01-31',
  time: '12:00:00Z',
  'date-time': '2025-01-31T12:00:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const NAMES: Record<string, string> = { city: 'Oslo', location: 'Oslo', country: 'Norway', date: '2025-01-31' }

/**
 * Returns an example for a JSON schema. This is the schema's constant, default, first example or first `enum` value, or
 * a simple value of its type. Equal inputs get equal examples. String fields get `words`, such as the user's question
 * for a field `query`.
 */
export function exampleOf(schema: unknown, words: string): unknown {
  const root = isRecord(schema) ? schema : {}
  return exampleIn(root, { root, words, name: '', depth: 0 })
}

interface Place {
  root: Json
  words: string
  name: string
  depth: number
}

function exampleIn(unresolved: Json, place: Place): unknown {
  const schema = resolve(unresolved, place.root)
  const givenValues = [schema.const, schema.default, ...asList(schema.examples), ...asList(schema.enum)]
  const givenValue = givenValues.find((value) => value !== undefined)
  if (givenValue !== undefined) return givenValue
  const variant = [...asList(schema.anyOf), ...asList(schema.oneOf)].find((one) => isRecord(one) && one.type !== 'null')
  if (isRecord(variant) && place.depth < DEPTH_MAX) return exampleIn(variant, { ...place, depth: place.depth + 1 })
  switch (typeOf(schema)) {
    case 'string':
      return textOf(schema, place)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return true
    case 'array':
      return listOf(schema, place)
    case 'null':
      return null
    default:
      return objectOf(schema, place)
  }
}

function resolve(schema: Json, root: Json): Json {
  const merged = Object.assign({}, schema, ...asList(schema.allOf).filter(isRecord))
  if (typeof merged.$ref !== 'string') return merged
  const target = merged.$ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce((at: unknown, key: string) => (isRecord(at) ? at[key] : undefined), root)
  return isRecord(target) ? target : {}
}

function typeOf({ type, properties, items }: Json): unknown {
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null'
  return type ?? (items && !properties ? 'array' : 'object')
}

function textOf({ format, minLength, maxLength }: Json, { name, words }: Place): string {
  const text = (typeof format === 'string' && FORMATS[format]) || NAMES[name.toLowerCase()] || words || 'example'
  const padded = text.padEnd(typeof minLength === 'number' ? Math.min(minLength, 1_000) : 0, '.')
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded
}

function numberOf({ minimum, maximum, exclusiveMinimum }: Json): number {
  const floor = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum
  const low = typeof floor === 'number' ? Math.max(floor, 1) : 1
  return typeof maximum === 'number' ? Math.min(low, maximum) : low
}

function listOf({ items, minItems }: Json, place: Place): unknown[] {
  if (!isRecord(items) || place.depth >= DEPTH_MAX) return []
  const length = typeof minItems === 'number' ? Math.min(Math.max(minItems, 1), 100) : 1
  return Array.from({ length }, () => exampleIn(items, { ...place, depth: place.depth + 1 }))
}

function objectOf({ properties, required }: Json, place: Place): Json {
  if (!isRecord(properties) || place.depth >= DEPTH_MAX) return {}
  // Below the first level, only required fields get a value, so that recursive schemas end.
  const names = place.depth === 0 ? Object.keys(properties) : asList(required)
  const entries = names.flatMap((name) => {
    const property = typeof name === 'string' ? properties[name] : undefined
    if (typeof name !== 'string' || !isRecord(property)) return []
    return [[name, exampleIn(property, { ...place, name, depth: place.depth + 1 })] as const]
  })
  return Object.fromEntries(entries)
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
