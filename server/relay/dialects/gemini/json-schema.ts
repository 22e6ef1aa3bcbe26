import { isRecord } from '../../../../core/records.ts'
import { type Json, lookup } from '../../json.ts'

const SCHEMA_LISTS = new Set(['anyOf', 'any_of', 'oneOf', 'allOf', 'prefixItems'])
const NEW_NAMES: Readonly<Record<string, string>> = lookup({
  any_of: 'anyOf',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
})
/** Fields that exist only in Gemini's schemas. */
const GEMINI_FIELDS = new Set(['nullable', 'propertyOrdering', 'property_ordering', 'example'])

/**
 * Converts a Gemini schema to JSON Schema. Types become lower case, and `nullable` becomes the type `null`. Property
 * names do not change. https://ai.google.dev/api/caching#Schema
 */
export function jsonSchema(schema: Json): Json {
  const entries = Object.entries(schema).filter(([name]) => !GEMINI_FIELDS.has(name))
  const converted = Object.fromEntries(entries.map(([name, value]) => [NEW_NAMES[name] ?? name, fieldOf(name, value)]))
  if (schema.nullable !== true) return converted
  if (typeof converted.type === 'string') {
    return {
      ...converted,
      type: [converted.type, 'null'],
      ...(Array.isArray(converted.enum) && { enum: [...converted.enum, null] }),
    }
  }
  return Array.isArray(converted.anyOf) ? { ...converted, anyOf: [...converted.anyOf, { type: 'null' }] } : converted
}

const COUNTS = /^(min|max)(Items|Length|Properties|_items|_length|_properties)$/

function fieldOf(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase()
  if (name === 'items' && isRecord(value)) return jsonSchema(value)
  if (name === 'properties' && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isRecord(inner) ? jsonSchema(inner) : inner]),
    )
  }
  if (SCHEMA_LISTS.has(name) && Array.isArray(value))
    return value.map((inner) => (isRecord(inner) ? jsonSchema(inner) : inner))
  // Google's APIs write 64-bit numbers as JSON strings.
  return COUNTS.test(name) && typeof value === 'string' ? Number(value) : value
}
