import { isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, type Json, objectsOf, textOf } from '../../json.ts'

/** Maximum depths of schemas and of nested references. An object without properties replaces deeper schemas. */
const DEPTH_MAX = 64
const REFERENCES_MAX = 8
/** Maximum number of schemas to convert, because recursive references can multiply the schemas. */
const NODES_MAX = 5000

/** Keywords that are copied unchanged. All others are converted or dropped, because Gemini's `Schema` rejects them. */
const KEYWORDS = [
  'description',
  'nullable',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
] as const
const STRING_FORMATS = new Set(['enum', 'date-time'])
const NUMBER_FORMATS = new Set(['int32', 'int64', 'float', 'double'])

interface SchemaPosition {
  readonly root: Json
  readonly depth: number
  readonly references: number
  readonly remaining: { nodes: number }
}

/**
 * Converts a JSON Schema to Gemini's `Schema`, which is a subset of OpenAPI's. Resolves references, and drops
 * unsupported keywords. https://ai.google.dev/api/caching#Schema
 */
export function cleanSchema(schema: Json): Json {
  return clean(schema, { root: schema, depth: 0, references: 0, remaining: { nodes: NODES_MAX } })
}

/** Whether the schema declares parameters. An object without properties declares none. */
export function hasProperties(schema: Json | undefined): schema is Json {
  if (!schema) return false
  const type = textOf(schema.type)?.toLowerCase()
  if (type !== undefined && type !== 'object') return true
  return Object.keys(recordOf(schema.properties)).length > 0 || COMPOSED.some((name) => name in schema)
}
const COMPOSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'patternProperties']

function clean(value: unknown, at: SchemaPosition): Json {
  if (!isRecord(value)) return { type: 'STRING' }
  at.remaining.nodes -= 1
  if (at.depth > DEPTH_MAX || at.remaining.nodes < 0) return { type: 'OBJECT' }
  if (typeof value.$ref === 'string') return dereference(value, value.$ref, at)
  const schema = mergeAllOf(value)
  const branches = branchesOf(schema)
  if (branches) return cleanBranches(schema, branches, at)
  return cleanPlain(schema, at)
}

function dereference({ $ref: _, ...siblingFields }: Json, reference: string, at: SchemaPosition): Json {
  const target = resolve(at.root, reference)
  if (!target || at.references >= REFERENCES_MAX) return { ...withKnownFields(siblingFields), type: 'OBJECT' }
  return clean({ ...target, ...siblingFields }, { ...at, depth: at.depth + 1, references: at.references + 1 })
}

/** Resolves a JSON pointer such as `#/$defs/name`. */
function resolve(root: Json, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined
  let target: unknown = root
  for (const segment of reference.slice(1).split('/').filter(Boolean)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  return isRecord(target) ? target : undefined
}

/**
 * Merges the schemas in `allOf` into their parent. Joins properties and required names. For any other keyword, the last
 * value replaces earlier values.
 */
function mergeAllOf(schema: Json): Json {
  const { allOf, ...rest } = schema
  const allOfSchemas = objectsOf(allOf)
  if (allOfSchemas.length === 0) return schema
  const parts = [...allOfSchemas, rest]
  const properties = Object.assign({}, ...parts.map((part) => recordOf(part.properties)))
  const required = parts.flatMap((part) => arrayOf(part.required))
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

/** Returns the alternatives in a schema's `anyOf`, `oneOf` or list of types, if any. */
function branchesOf({ anyOf, oneOf, type }: Json): unknown[] | undefined {
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (alternatives?.length) return alternatives
  return Array.isArray(type) ? type.map((name) => ({ type: name })) : undefined
}

function cleanBranches({ anyOf: _a, oneOf: _o, type, ...rest }: Json, branches: unknown[], at: SchemaPosition): Json {
  const nonNullBranches = branches.filter((branch) => !isNull(branch))
  const nullable = nonNullBranches.length < branches.length || rest.nullable === true
  const branchSchema = (branch: unknown): Json => ({
    ...rest,
    ...(typeof type === 'string' && { type }),
    ...recordOf(branch),
  })
  const deeper = { ...at, depth: at.depth + 1 }
  if (nonNullBranches.length < 2)
    return {
      ...clean(nonNullBranches[0] === undefined ? rest : branchSchema(nonNullBranches[0]), deeper),
      ...(nullable && { nullable }),
    }
  // Types in a list share the other keywords of the schema. Schemas in `anyOf` and `oneOf` are complete.
  const schemas = Array.isArray(type) ? nonNullBranches.map(branchSchema) : nonNullBranches
  const { description } = rest
  return {
    ...(typeof description === 'string' && { description }),
    anyOf: schemas.map((branch) => clean(branch, deeper)),
    ...(nullable && { nullable }),
  }
}

function isNull(branch: unknown): boolean {
  return isRecord(branch) && (branch.type === 'null' || branch.const === null)
}

function cleanPlain(schema: Json, at: SchemaPosition): Json {
  const choices = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  if (choices) return enumOf(schema, choices)
  const type = typeOf(schema)
  return {
    ...withKnownFields(schema),
    type,
    ...formatOf(schema, type),
    ...(type === 'OBJECT' && propertiesOf(schema, at)),
    ...(type === 'ARRAY' && { items: itemsOf(schema, { ...at, depth: at.depth + 1 }) }),
  }
}

function withKnownFields(schema: Json): Json {
  return Object.fromEntries(
    KEYWORDS.flatMap((name) => (schema[name] !== undefined && schema[name] !== null ? [[name, schema[name]]] : [])),
  )
}

function enumOf(schema: Json, choices: unknown[]): Json {
  const values = choices.filter((value) => value !== null)
  const { description, nullable } = withKnownFields(schema)
  return {
    ...(description !== undefined && { description }),
    type: 'STRING',
    enum: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    ...((values.length < choices.length || nullable === true) && { nullable: true }),
  }
}

function typeOf(schema: Json): string {
  if (typeof schema.type === 'string') return schema.type.toUpperCase()
  if (isRecord(schema.properties)) return 'OBJECT'
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'ARRAY' : 'STRING'
}

function formatOf({ format }: Json, type: string): Json {
  const validFormats = type === 'STRING' ? STRING_FORMATS : NUMBER_FORMATS
  return typeof format === 'string' && validFormats.has(format) ? { format } : {}
}

/** Converts the properties of an object. The client chose their names, so a property named `title` is not a keyword. */
function propertiesOf(schema: Json, at: SchemaPosition): Json {
  const deeper = { ...at, depth: at.depth + 1 }
  const entries = Object.entries(recordOf(schema.properties)).map(
    ([name, value]) => [name, clean(value, deeper)] as const,
  )
  if (entries.length === 0) return {}
  const names = new Set<unknown>(entries.map(([name]) => name))
  const required = [...new Set(arrayOf(schema.required).filter((name) => names.has(name)))]
  return { properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) }
}

function itemsOf({ items, prefixItems }: Json, at: SchemaPosition): Json {
  const itemSchemas = objectsOf(Array.isArray(items) ? items : prefixItems)
  if (isRecord(items)) return clean(items, at)
  if (itemSchemas.length > 1) return { anyOf: itemSchemas.map((itemSchema) => clean(itemSchema, at)) }
  return clean(itemSchemas[0], at)
}
