import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { type OpenApiDocument, REF_PREFIX } from '../support/api.ts'

/** Matches the paths that only clients of the relay or the payment provider call, not the console or the CLI. */
const NOT_OURS = /^\/(v1|v1beta|v1alpha|mj|suno|dashboard)\/|^\/pg\/terminal\/|^\/api\/user\/epay\//
export const BANNER = `/* Generated from the gateway's OpenAPI document by \`npm run generate\`; npm test fails when it is out of date. */`

interface Parameter {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema: JSONSchema
}

/** A call, as its operation in the document describes it. */
export interface Described {
  /** Method and path: `GET /api/team/:id`. */
  name: string
  operation: Operation
  /** Schema of the reply, if the document has one. */
  answer: JSONSchema | undefined
}

interface Operation {
  summary?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: JSONSchema }> }
  responses?: Record<string, { content?: Record<string, { schema?: JSONSchema }> }>
}

/** Returns every call that the console or the CLI may make. */
export function describedCalls({ paths, components: { schemas } }: OpenApiDocument): Described[] {
  return Object.entries(paths)
    .filter(([path]) => !NOT_OURS.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => {
        const reply = jsonOf(operation.responses?.['200']?.content)
        const answer: JSONSchema | undefined = reply?.$ref ? schemas[reply.$ref.slice(REF_PREFIX.length)] : reply
        const name = `${method.toUpperCase()} ${path.replace(/\{([^}]+)\}/g, ':$1')}`
        return { name, operation, answer }
      }),
    )
}

/** Returns TypeScript types for every call of `describedCalls`, by method and path. */
export async function callTypes(document: OpenApiDocument): Promise<string> {
  const { components } = document
  const schema = objectOf(
    describedCalls(document).map((call) => ({ name: call.name, schema: callSchema(call), required: true })),
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

function callSchema({ operation: { summary, parameters = [], requestBody }, answer }: Described): JSONSchema {
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
