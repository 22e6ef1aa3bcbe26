/**
 * Parses requests of the management API. Accepts what the documented API accepts, except values of a wrong JSON type.
 */
import type { IncomingMessage } from 'node:http'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import { violation } from '../../core/messages/reasons.ts'
import { isRecord } from '../../core/records.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import { JsonScan, jsonLimits } from '../bodies/json-scan.ts'
import { decodeBody, receiveBody } from '../bodies/receive.ts'

export const BODY_MAX = 4 * 1024 * 1024
/** Maximum body size in bytes for callers without authentication, such as sign-ins and payment notifications. */
const ANONYMOUS_BODY_MAX = 256 * 1024

interface ObjectSchema {
  /** Whether the handler also gets fields that the schema does not declare. */
  additionalProperties?: boolean
  properties?: Record<string, { type?: string; anyOf?: { type?: string }[] }>
}

/**
 * Parses bodies, queries and path parameters for all routes. `itemsMax` is the maximum number of objects and lists in
 * one body.
 */
export function readLeniently(
  app: FastifyInstance,
  { bodies, itemsMax }: { bodies: BodyBudget; itemsMax: number },
): void {
  // A body is parsed as JSON with any Content-Type, even an invalid one.
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/json'
  })
  app.removeAllContentTypeParsers()
  const limits = jsonLimits(itemsMax)
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('*', (request, payload, done) => {
    const bytesMax = request.routeOptions.config.access === 'anyone' ? ANONYMOUS_BODY_MAX : BODY_MAX
    const scan = new JsonScan(limits)
    const share = () => bodies.open({ address: request.ip, userId: request.actor?.id ?? 0 })
    receiveBody(
      decodeBody(request.raw) ?? (payload as IncomingMessage),
      { request: request.raw, bytesMax, share, look: (piece) => scan.read(piece) },
      (error, body) => {
        // Accept a missing body, because a route may have no required fields.
        if (error || !body?.length) done(error, undefined)
        else void json(request, body.toString('utf8'), done)
      },
    )
  })

  app.addHook('preValidation', async (request) => {
    const { params, querystring, body } = (request.routeOptions.schema ?? {}) as Record<
      string,
      ObjectSchema | undefined
    >
    if (params) request.params = readPath(request.params as Record<string, string>, params)
    if (querystring)
      request.query = readQuery(pickDeclared(request.query as Record<string, unknown>, querystring), querystring)
    if (body && isRecord(request.body)) request.body = withoutNulls(pickDeclared(request.body, body), body)
    rejectNul(request)
  })
}

/**
 * Returns only the fields that the schema declares, so that core never receives an unchecked field. Ignores the case of
 * names. If two names differ only in case, the documented spelling wins.
 */
function pickDeclared(sentFields: Record<string, unknown>, schema: ObjectSchema): Record<string, unknown> {
  if (schema.additionalProperties) return sentFields
  const names = Object.keys(schema.properties ?? {})
  const spelling = new Map(names.map((name) => [name.toLowerCase(), name]))
  const declaredFields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sentFields)) {
    const property = spelling.get(name.toLowerCase())
    if (property !== undefined && (property === name || !Object.hasOwn(sentFields, property)))
      declaredFields[property] = value
  }
  return declaredFields
}

/**
 * Converts query values to the types of their fields. An invalid or empty number counts as absent, because clients send
 * `NaN` and empty texts for cleared fields. If a field is repeated, its first value counts.
 */
function readQuery(query: Record<string, unknown>, { properties = {} }: ObjectSchema): Record<string, unknown> {
  const converted: Record<string, unknown> = { ...query }
  for (const [name, { type }] of Object.entries(properties)) {
    const [text] = [query[name]].flat()
    if (typeof text !== 'string') continue
    const value = type === 'integer' ? wholeNumber(text) : type === 'boolean' ? /^(1|t|true)$/i.test(text) : text
    if (value === undefined) delete converted[name]
    else converted[name] = value
  }
  return converted
}

/** Converts path parameters. Throws FIELD_WHOLE_NUMBER for an invalid number, because path parameters are required. */
function readPath(path: Record<string, string>, { properties = {} }: ObjectSchema): Record<string, unknown> {
  const converted = Object.entries(path).map(([field, text]) => {
    if (properties[field]?.type !== 'integer') return [field, text]
    const value = wholeNumber(text)
    if (value === undefined) throw new GatewayError('FIELD_WHOLE_NUMBER', { field })
    return [field, value]
  })
  return Object.fromEntries(converted)
}

function wholeNumber(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Removes fields that are null, unless the schema allows null. */
function withoutNulls(body: Record<string, unknown>, { properties = {} }: ObjectSchema): Record<string, unknown> {
  const canBeNull = (name: string) => properties[name]?.anyOf?.some(({ type }) => type === 'null')
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null || canBeNull(name)))
}

/** Throws FIELD_NUL for text with a NUL character, which PostgreSQL cannot store. */
function rejectNul({ query, params, body }: FastifyRequest): void {
  for (const part of [query, params, body]) {
    for (const [field, value] of Object.entries(part ?? {})) rejectNulIn(value, field)
  }
}

function rejectNulIn(value: unknown, field: string): void {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && next.includes('\0')) throw new GatewayError('FIELD_NUL', { field })
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next))
      if (typeof inner === 'string' || typeof inner === 'object') pending.push(inner)
  }
}

/** Returns the error for a schema violation, with the field name. */
export function schemaViolationError({
  keyword,
  instancePath,
  params,
  message = '',
  data,
  parentSchema,
}: ErrorObject): GatewayError {
  const field = instancePath.slice(1).replaceAll('/', '.')
  const bound = (name: string) => parentSchema?.[name] as number | undefined
  switch (keyword) {
    case 'required':
      return new GatewayError('FIELD_REQUIRED', { field: params.missingProperty })
    case 'type':
      if (field === '') return new GatewayError('BODY_MALFORMED')
      return new GatewayError(CODE_OF_TYPE[params.type as string] ?? 'INVALID_INPUT', { field, reason: message })
    case 'minLength':
    case 'maxLength':
      if (params.limit === 1 && data === '') return new GatewayError('FIELD_REQUIRED', { field })
      return new GatewayError('FIELD_LENGTH', { field, min: bound('minLength') ?? 0, max: bound('maxLength') ?? '∞' })
    case 'minimum':
    case 'maximum': {
      const [min, max] = [bound('minimum') ?? '-∞', bound('maximum') ?? '∞']
      return new GatewayError('FIELD_RANGE', { field, min, max, value: String(data) })
    }
    case 'enum': {
      const allowed: unknown = params.allowedValues
      const words = Array.isArray(allowed) ? allowed.join(', ') : ''
      return new GatewayError('INVALID_INPUT', violation(keyword, { field: field || 'body', words }))
    }
    default:
      return new GatewayError(
        'INVALID_INPUT',
        violation(keyword, { ...params, field: field || 'body' }) ?? { reason: `${field || 'body'} ${message}` },
      )
  }
}
const CODE_OF_TYPE: Record<string, ErrorCode> = {
  integer: 'FIELD_WHOLE_NUMBER',
  number: 'FIELD_NUMBER',
  string: 'FIELD_TEXT',
  boolean: 'FIELD_BOOLEAN',
  array: 'FIELD_LIST',
  object: 'FIELD_OBJECT',
}
