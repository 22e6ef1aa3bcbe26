import type { Access } from '../../server/api/access.ts'
import { type OpenApiDocument, readDocument, withoutRefs } from './api.ts'

/** The part of JSON Schema that the routes use. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
  pattern?: string
  default?: unknown
}

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  schema: Schema
}

/** One operation of the served OpenAPI document. */
export interface Operation {
  method: string
  /** `/api/user/{id}` */
  path: string
  /** Absent for relay routes. */
  access: Access | undefined
  /** Counts against the limit of sign-in, registration and mails. */
  critical: boolean
  /** Needs a bot check if the option is on. */
  botCheck: boolean
  parameters: Parameter[]
  body: Schema | undefined
}

interface Described {
  'x-access'?: Access
  'x-critical'?: true
  'x-bot-check'?: true
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

/** Returns all operations of the gateway at a URL. */
export async function readOperations(url: string): Promise<Operation[]> {
  return operationsOf(withoutRefs(await readDocument(url)))
}

/** Returns all operations of an OpenAPI document. */
export function operationsOf({ paths }: Pick<OpenApiDocument, 'paths'>): Operation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Described>).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      access: described['x-access'],
      critical: described['x-critical'] === true,
      botCheck: described['x-bot-check'] === true,
      parameters: described.parameters ?? [],
      body: Object.values(described.requestBody?.content ?? {})[0]?.schema,
    })),
  )
}

export interface PlannedRequest {
  method: string
  path: string
  json?: unknown
}

/** An id without a row. */
export const NO_ID = 2_147_483_000

/** Returns a request that matches the operation's schema, with `id` as each id. */
export function plausibleRequest({ method, path, parameters, body }: Operation, id: unknown = NO_ID): PlannedRequest {
  const filled = path.replace(/\{[^}]+\}/g, encodeURIComponent(String(id)))
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }) => [name, String(plausible(schema, { name, id }))]),
  ).toString()
  const request = { method, path: query ? `${filled}?${query}` : filled }
  return body ? { ...request, json: plausible(body, { name: '', id }) } : request
}

/** Returns a value that matches the schema: all properties, the smallest numbers and the shortest strings. */
export function plausible(schema: Schema, { name, id }: { name: string; id: unknown }): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return plausible(schema.anyOf[0], { name, id })
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => plausible(part, { name, id })))
  const type = [schema.type].flat()[0]
  switch (type) {
    case 'integer':
    case 'number':
      if (name === 'id') return id
      return Math.max(schema.minimum ?? 0, Math.min(1, schema.maximum ?? 1))
    case 'boolean':
      return false
    case 'string':
      return text(name)
        .padEnd(schema.minLength ?? 0, 'x')
        .slice(0, schema.maxLength)
    case 'array':
      return name === 'ids' ? [id] : [plausible(schema.items ?? {}, { name: '', id })]
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [key, plausible(value, { name: key, id })]),
      )
    default:
      return null
  }
}

/** Addresses never leave this machine: its port 9 discards data, if it is open at all. */
export const CLOSED_ADDRESS = 'http://127.0.0.1:9'

function text(name: string): string {
  if (/url|address|server/i.test(name)) return CLOSED_ADDRESS
  return name === 'password' ? 'correct horse' : 'x'
}
