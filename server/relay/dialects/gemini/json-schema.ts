import { isObject, type Json, lookup } from '../../json.ts'

const LISTS = new Set(['anyOf', 'any_of', 'oneOf', 'allOf', 'prefixItems'])
const NAMES: Readonly<Record<string, string>> = lookup({
  any_of: 'anyOf',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
})
/** Fields that only Gemini uses. */
const OWN = new Set(['nullable', 'propertyOrdering', 'property_ordering', 'example'])

/**
 * Converts a Gemini schema to JSON Schema: lower-case types, `nullable` as an additional type. Property names are unchanged.
 * https://ai.google.dev/api/caching#Schema
 */
export function jsonSchema(schema: Json): Json {
  const entries = Object.entries(schema).filter(([name]) => !OWN.has(name))
  const written = Object.fromEntries(entries.map(([name, value]) => [NAMES[name] ?? name, fieldOf(name, value)]))
  if (schema.nullable !== true) return written
  if (typeof written.type === 'string') {
    return {
      ...written,
      type: [written.type, 'null'],
      ...(Array.isArray(written.enum) && { enum: [...written.enum, null] }),
    }
  }
  return Array.isArray(written.anyOf) ? { ...written, anyOf: [...written.anyOf, { type: 'null' }] } : written
}

const COUNTS = /^(min|max)(Items|Length|Properties|_items|_length|_properties)$/

function fieldOf(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase()
  if (name === 'items' && isObject(value)) return jsonSchema(value)
  if (name === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isObject(inner) ? jsonSchema(inner) : inner]),
    )
  }
  if (LISTS.has(name) && Array.isArray(value))
    return value.map((inner) => (isObject(inner) ? jsonSchema(inner) : inner))
  // Google's APIs write 64-bit numbers as JSON strings.
  return COUNTS.test(name) && typeof value === 'string' ? Number(value) : value
}
