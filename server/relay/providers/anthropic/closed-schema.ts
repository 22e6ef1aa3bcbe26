import { isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, type Json, wordOf } from '../../json.ts'

const DEPTH_MAX = 64
const DEFINITIONS = ['$defs', 'definitions'] as const
const REFERENCE = /^#\/(?:\$defs|definitions)\/([^/]+)$/
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'])
/** Keywords that restrict no value. */
const ANNOTATIONS = new Set([...DEFINITIONS, '$schema', '$id', '$comment', 'title', 'description', 'default'])
/** Keywords that are converted. All other keywords that restrict values go to the description. */
const CONVERTED = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'],
  ...['properties', 'required', 'additionalProperties', 'items'],
])

/** The state of one conversion. */
interface Conversion {
  /** False if a closed schema would allow other values than the client's schema. */
  isPossible: boolean
  /** Number of properties that are not required. */
  optional: number
  /** Number of schemas with several types or alternatives. */
  unions: number
}

/** The remaining numbers that Claude accepts in one request, in the schemas of its reply and of its strict tools. */
export type SchemaBudget = Pick<Conversion, 'optional' | 'unions'>

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits */
export const newSchemaBudget = (): SchemaBudget => ({ optional: 24, unions: 16 })

/**
 * Converts a JSON Schema to the subset that Claude enforces. In the subset, every object is closed, and limits of
 * numbers and lengths are only in descriptions. Subtracts a converted schema from the budget.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 *
 * Returns undefined for schemas that cannot be converted, such as recursive ones and objects with any keys, and for
 * schemas that exceed the budget.
 */
export function closedSchema(schema: Json, budget: SchemaBudget): Json | undefined {
  const conversion = { isPossible: !isRecursive(schema), optional: 0, unions: 0 }
  const definitions = DEFINITIONS.flatMap((name) =>
    isRecord(schema[name]) ? [[name, closeEach(schema[name], conversion, 1)] as const] : [],
  )
  const closed = { ...Object.fromEntries(definitions), ...close(schema, conversion, 0) }
  const { isPossible, optional, unions } = conversion
  if (!isPossible || optional > budget.optional || unions > budget.unions) return undefined
  budget.optional -= optional
  budget.unions -= unions
  return closed
}

function closeEach(schemas: Json, conversion: Conversion, depth: number): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, close(value, conversion, depth)]))
}

function close(schema: unknown, conversion: Conversion, depth: number): Json {
  if (!isRecord(schema) || depth > DEPTH_MAX) return impossible(conversion)
  if (schema.$ref !== undefined) {
    const isAlone = Object.keys(schema).every((name) => name === '$ref' || ANNOTATIONS.has(name))
    return isAlone && REFERENCE.test(wordOf(schema.$ref)) ? { $ref: schema.$ref } : impossible(conversion)
  }
  const [only, ...others] = arrayOf(schema.allOf)
  // Each closed part of `allOf` would reject the properties of the other parts.
  if (others.length > 0) return impossible(conversion)
  // Each closed alternative would reject the properties of the schema around it, too.
  if (isCombined(schema)) return impossible(conversion)
  if (only !== undefined) return { ...close(only, conversion, depth + 1), ...textsOf(schema, []) }
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) {
    conversion.unions += 1
    const anyOf = alternatives.map((each) => close(each, conversion, depth + 1))
    return { anyOf, ...textsOf(schema, []) }
  }
  return closePlain(schema, conversion, depth)
}

/** Whether `allOf`, `anyOf` or `oneOf` is used together with another keyword that is converted. */
function isCombined(schema: Json): boolean {
  const converted = Object.keys(schema).filter((name) => CONVERTED.has(name))
  return converted.length > 1 && ['allOf', 'anyOf', 'oneOf'].some((name) => name in schema)
}

function impossible(conversion: Conversion): Json {
  conversion.isPossible = false
  return {}
}

function closePlain(schema: Json, conversion: Conversion, depth: number): Json {
  const literals = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(literals)) {
    if (literals.some((value) => typeof value === 'object' && value !== null)) return impossible(conversion)
    return { enum: literals, ...textsOf(schema, []) }
  }
  const type = schema.type ?? (isRecord(schema.properties) ? 'object' : undefined)
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (types.length === 0 || types.some((name) => typeof name !== 'string')) return impossible(conversion)
  if (types.length > 1) conversion.unions += 1
  const keptKeywords = [
    ...(FORMATS.has(wordOf(schema.format)) ? ['format'] : []),
    ...(schema.minItems === 0 || schema.minItems === 1 ? ['minItems'] : []),
  ]
  return {
    type,
    ...Object.fromEntries(keptKeywords.map((name) => [name, schema[name]])),
    ...textsOf(schema, keptKeywords),
    ...(types.includes('object') && closedObject(schema, conversion, depth)),
    ...(types.includes('array') && schema.items !== undefined && { items: close(schema.items, conversion, depth + 1) }),
  }
}

function closedObject(schema: Json, conversion: Conversion, depth: number): Json {
  const { additionalProperties: others, patternProperties, required } = schema
  const properties = recordOf(schema.properties)
  const isClosed = others === false || (others === undefined && Object.keys(properties).length > 0)
  if (!isClosed || patternProperties !== undefined) return impossible(conversion)
  const requiredNames = arrayOf(required)
  if (!requiredNames.every((name) => wordOf(name) in properties)) return impossible(conversion)
  conversion.optional += Object.keys(properties).length - requiredNames.length
  return {
    properties: closeEach(properties, conversion, depth + 1),
    ...(Array.isArray(required) && { required }),
    additionalProperties: false,
  }
}

/** Returns title, default and description. The description also states the keywords that Claude does not enforce. */
function textsOf(schema: Json, keptKeywords: readonly string[]): Json {
  const { title, description } = schema
  const limits = Object.entries(schema).filter(
    ([name]) => !ANNOTATIONS.has(name) && !CONVERTED.has(name) && !keptKeywords.includes(name),
  )
  const texts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(limits.length > 0 ? [JSON.stringify(Object.fromEntries(limits))] : []),
  ]
  return {
    ...(typeof title === 'string' && { title }),
    ...('default' in schema && { default: schema.default }),
    ...(texts.length > 0 && { description: texts.join('\n') }),
  }
}

/** Whether a definition refers to itself, directly or by other definitions. True also for very long chains. */
function isRecursive(schema: Json): boolean {
  const definitions = new Map(DEFINITIONS.flatMap((name) => Object.entries(recordOf(schema[name]))))
  const checked = new Set<string>()
  const leadsTo = (name: string, ancestors: ReadonlySet<string>): boolean => {
    if (ancestors.has(name) || ancestors.size > DEPTH_MAX) return true
    if (checked.has(name)) return false
    const path = new Set([...ancestors, name])
    const isFound = referencesIn(definitions.get(name)).some((next) => leadsTo(next, path))
    checked.add(name)
    return isFound
  }
  return [...definitions.keys()].some((name) => leadsTo(name, new Set()))
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isRecord(value)) return []
  const name = REFERENCE.exec(wordOf(value.$ref))?.[1]
  return [...(name === undefined ? [] : [name]), ...Object.values(value).flatMap(referencesIn)]
}
