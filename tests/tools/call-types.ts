import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { type OpenApiDocument, REF_PREFIX } from '../support/api.ts'

/** Matches the paths that only clients of the relay or the payment provider call, not the console. */
const NOT_OURS = /^\/(v1|v1beta|v1alpha|mj|suno|dashboard)\/|^\/pg\/terminal\/|^\/api\/user\/epay\//
const BANNER = `/* Generated from the gateway's OpenAPI document by \`npm run generate\`; npm test fails when it is out of date. */`

interface Parameter {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema: JSONSchema
}

interface Described {
  summary?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: JSONSchema }> }
  responses?: Record<string, { content?: Record<string, { schema?: JSONSchema }> }>
}

/** Returns TypeScript types for every call that the console may make, by method and path. */
export async function callTypes({ paths, components }: OpenApiDocument): Promise<string> {
  const calls = Object.entries(paths)
    .filter(([path]) => !NOT_OURS.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, Described>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path.replace(/\{([^}]+)\}/g, ':$1')}`,
        schema: callSchema(operation, components),
      })),
    )
  const schema = objectOf(
    calls.map(({ name, schema }) => ({ name, schema, required: true })),
    'What each call takes and answers.',
  )
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, component]) => [name, withUnknowns(component)]),
  )
  // In `$defs`, because the compiler takes fields named `properties` elsewhere for schemas.
  const root = JSON.stringify({ ...withUnknowns(schema), title: 'Calls', $defs: schemas }).replaceAll(
    REF_PREFIX,
    '#/$defs/',
  )
  const types = await compile(JSON.parse(root), 'Calls', {
    bannerComment: BANNER,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
  return types.replace(/\/\*\*\n *\* (.+)\n *\*\/$/gm, '/** $1 */')
}

interface Property {
  name: string
  required: boolean
  schema: JSONSchema
}

function callSchema(
  { summary, parameters = [], requestBody, responses = {} }: Described,
  { schemas }: OpenApiDocument['components'],
): JSONSchema {
  const parts = ['path', 'query', 'header'].flatMap((place): Property[] => {
    const matches = parameters.filter((parameter) => parameter.in === place)
    if (matches.length === 0) return []
    const properties = matches.map(({ name, required = false, description, schema }) => ({
      name,
      required,
      schema: description ? { ...schema, description } : schema,
    }))
    return [{ name: place, required: properties.some(({ required }) => required), schema: objectOf(properties) }]
  })
  const body = jsonOf(requestBody?.content)
  if (body) parts.push({ name: 'body', required: requestBody?.required ?? false, schema: body })
  const reply = jsonOf(responses['200']?.content)
  const answer: JSONSchema | undefined = reply?.$ref ? schemas[reply.$ref.slice(REF_PREFIX.length)] : reply
  // Replies without an envelope, such as JSON lines or a chat stream, are streams for the console.
  if (!answer?.properties) return objectOf([...parts, { name: 'stream', required: true, schema: {} }], summary)
  const { success: _, message: __, data, ...beside } = answer.properties
  if (data) parts.push({ name: 'data', required: true, schema: data })
  if (Object.keys(beside).length > 0) parts.push({ name: 'answer', required: true, schema: answer })
  return objectOf(parts, summary)
}

function jsonOf(content: Record<string, { schema?: JSONSchema }> | undefined): JSONSchema | undefined {
  return content?.['application/json']?.schema
}

function objectOf(properties: Property[], description?: string): JSONSchema {
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required: properties.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** Marks schemas without constraints as `unknown`. The compiler would treat them as objects. */
function withUnknowns(schema: JSONSchema): JSONSchema {
  const { properties, items, anyOf, additionalProperties } = schema
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return { ...schema, tsType: 'unknown' }
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, withUnknowns(value)])),
    }),
    ...(items && !Array.isArray(items) && { items: withUnknowns(items) }),
    ...(anyOf && { anyOf: anyOf.map(withUnknowns) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: withUnknowns(additionalProperties) }),
  }
}
