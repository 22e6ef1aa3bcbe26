import { arrayOf, isObject, type Json, objectOf, objectsOf, textOf } from '../../json.ts'

/** A schema in a schema: deeper, and after as many references, nobody means anything by it. */
const DEPTH_MAX = 64
const REFERENCES_MAX = 8
/** Schemas that refer to themselves several times over would else grow without end. */
const NODES_MAX = 5000

/** What is kept as it is. Whatever else JSON Schema knows, Gemini's `Schema` refuses. */
const PLAIN = [
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

interface Place {
  readonly root: Json
  readonly depth: number
  readonly references: number
  readonly left: { nodes: number }
}

/**
 * A JSON Schema as the Gemini API's own `Schema`, which knows a part of OpenAPI's: references are put in place, what it does
 * not know is left out, so that the model is told as much as it can be. https://ai.google.dev/api/caching#Schema
 */
export function cleanSchema(schema: Json): Json {
  return clean(schema, { root: schema, depth: 0, references: 0, left: { nodes: NODES_MAX } })
}

/** Whether there is anything to say: an object without properties is no parameters at all. */
export function hasProperties(schema: Json | undefined): schema is Json {
  if (!schema) return false
  const type = textOf(schema.type)?.toLowerCase()
  if (type !== undefined && type !== 'object') return true
  return Object.keys(objectOf(schema.properties)).length > 0 || COMPOSED.some((name) => name in schema)
}
const COMPOSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'patternProperties']

function clean(value: unknown, at: Place): Json {
  if (!isObject(value)) return { type: 'STRING' }
  at.left.nodes -= 1
  if (at.depth > DEPTH_MAX || at.left.nodes < 0) return { type: 'OBJECT' }
  if (typeof value.$ref === 'string') return dereferenced(value, value.$ref, at)
  const schema = withBranches(value)
  const branches = branchesOf(schema)
  if (branches) return cleanBranches(schema, branches, at)
  return cleanPlain(schema, at)
}

function dereferenced({ $ref: _, ...beside }: Json, reference: string, at: Place): Json {
  const target = resolve(at.root, reference)
  if (!target || at.references >= REFERENCES_MAX) return { ...kept(beside), type: 'OBJECT' }
  return clean({ ...target, ...beside }, { ...at, depth: at.depth + 1, references: at.references + 1 })
}

/** What a JSON pointer such as `#/$defs/name` names in the schema. */
function resolve(root: Json, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return isObject(found) ? found : undefined
}

/** `allOf` merged into its schema; what several say is said by the last, properties and requirements by all. */
function withBranches(schema: Json): Json {
  const { allOf, ...rest } = schema
  const all = objectsOf(allOf)
  if (all.length === 0) return schema
  const parts = [...all, rest]
  const properties = Object.assign({}, ...parts.map((part) => objectOf(part.properties)))
  const required = parts.flatMap((part) => arrayOf(part.required))
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

/** The schemas of which one holds: branches, or a list of types. */
function branchesOf({ anyOf, oneOf, type }: Json): unknown[] | undefined {
  const named = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (named?.length) return named
  return Array.isArray(type) ? type.map((one) => ({ type: one })) : undefined
}

function cleanBranches({ anyOf: _a, oneOf: _o, type, ...rest }: Json, branches: unknown[], at: Place): Json {
  const some = branches.filter((branch) => !isNull(branch))
  const nullable = some.length < branches.length || rest.nullable === true
  const one = (branch: unknown): Json => ({
    ...rest,
    ...(typeof type === 'string' && { type }),
    ...objectOf(branch),
  })
  const deeper = { ...at, depth: at.depth + 1 }
  if (some.length < 2)
    return { ...clean(some[0] === undefined ? rest : one(some[0]), deeper), ...(nullable && { nullable }) }
  // A list of types speaks of one schema; branches are schemas of their own.
  const each = Array.isArray(type) ? some.map(one) : some
  const { description } = rest
  return {
    ...(typeof description === 'string' && { description }),
    anyOf: each.map((branch) => clean(branch, deeper)),
    ...(nullable && { nullable }),
  }
}

function isNull(branch: unknown): boolean {
  return isObject(branch) && (branch.type === 'null' || branch.const === null)
}

function cleanPlain(schema: Json, at: Place): Json {
  const choices = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  if (choices) return choice(schema, choices)
  const type = typeOf(schema)
  return {
    ...kept(schema),
    type,
    ...formatOf(schema, type),
    ...(type === 'OBJECT' && propertiesOf(schema, at)),
    ...(type === 'ARRAY' && { items: itemsOf(schema, { ...at, depth: at.depth + 1 }) }),
  }
}

function kept(schema: Json): Json {
  return Object.fromEntries(
    PLAIN.flatMap((name) => (schema[name] !== undefined && schema[name] !== null ? [[name, schema[name]]] : [])),
  )
}

function choice(schema: Json, choices: unknown[]): Json {
  const named = choices.filter((value) => value !== null)
  const { description, nullable } = kept(schema)
  return {
    ...(description !== undefined && { description }),
    type: 'STRING',
    enum: named.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    ...((named.length < choices.length || nullable === true) && { nullable: true }),
  }
}

function typeOf(schema: Json): string {
  if (typeof schema.type === 'string') return schema.type.toUpperCase()
  if (isObject(schema.properties)) return 'OBJECT'
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'ARRAY' : 'STRING'
}

function formatOf({ format }: Json, type: string): Json {
  const known = type === 'STRING' ? STRING_FORMATS : NUMBER_FORMATS
  return typeof format === 'string' && known.has(format) ? { format } : {}
}

/** Names of properties are the client's: one that is called `title` is no title. */
function propertiesOf(schema: Json, at: Place): Json {
  const deeper = { ...at, depth: at.depth + 1 }
  const entries = Object.entries(objectOf(schema.properties)).map(
    ([name, value]) => [name, clean(value, deeper)] as const,
  )
  if (entries.length === 0) return {}
  const names = new Set<unknown>(entries.map(([name]) => name))
  const required = [...new Set(arrayOf(schema.required).filter((name) => names.has(name)))]
  return { properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) }
}

function itemsOf({ items, prefixItems }: Json, at: Place): Json {
  const places = objectsOf(Array.isArray(items) ? items : prefixItems)
  if (isObject(items)) return clean(items, at)
  if (places.length > 1) return { anyOf: places.map((place) => clean(place, at)) }
  return clean(places[0], at)
}
