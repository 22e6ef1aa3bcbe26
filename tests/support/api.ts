import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { SESSION_COOKIE } from '../../server/api/access.ts'
import type { TestGateway } from './gateway.ts'
import type { Person } from './toolkit.ts'

/** A reply of the management API. `data` depends on the route. */
export interface ApiAnswer {
  status: number
  headers: Headers
  text: string
  body: {
    success?: boolean
    message?: string
    // biome-ignore lint/suspicious/noExplicitAny: each route has its own type, checked by the OpenAPI document.
    data?: any
    [key: string]: unknown
  }
}

/** An API client; a string as `json` is sent unchanged. */
export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<ApiAnswer>
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  put(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  delete(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  /** For tests with a table of methods and paths. */
  send(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  /** The client's current cookie; like a browser, it stores cookies from replies. */
  cookie(): string
}

export interface Api {
  anonymous(): ApiClient
  /** Signs in with a session. */
  as(person: Pick<Person, 'id'>): Promise<ApiClient>
  /** Uses a system access token. */
  byAccessToken(person: Pick<Person, 'id' | 'role'>): Promise<ApiClient>
}

/** Validates every reply against the OpenAPI document that the gateway serves. */
export function openApi(fixture: Pick<TestGateway, 'url' | 'toolkit'>): Api {
  const contract = knownContract(fixture.url)

  function client(fixed: Record<string, string>, session = ''): ApiClient {
    let cookie = session
    async function call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) {
      const body = json === undefined ? undefined : typeof json === 'string' ? json : JSON.stringify(json)
      const response = await fetch(fixture.url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...fixed,
          ...(cookie && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';')
        if (pair.startsWith(`${SESSION_COOKIE}=`)) cookie = pair.endsWith('=') ? '' : pair
      }
      const text = await response.text()
      const answer = { status: response.status, headers: response.headers, text, body: parsed(text) }
      ;(await contract).check(method, path, answer)
      return answer
    }
    return {
      get: (path, headers) => call('GET', path, undefined, headers),
      post: (path, json, headers) => call('POST', path, json, headers),
      put: (path, json, headers) => call('PUT', path, json, headers),
      delete: (path, json, headers) => call('DELETE', path, json, headers),
      send: call,
      cookie: () => cookie,
    }
  }

  return {
    anonymous: () => client({}),
    async as({ id }) {
      const session = await fixture.toolkit.sessions.create(id)
      return client({ 'tollgate-user': String(id) }, `${SESSION_COOKIE}=${session}`)
    },
    async byAccessToken(person) {
      const authorization = await fixture.toolkit.accessTokens.create(person)
      return client({ 'tollgate-user': String(person.id), authorization })
    },
  }
}

function parsed(text: string): ApiAnswer['body'] {
  try {
    return JSON.parse(text) as ApiAnswer['body']
  } catch {
    return {}
  }
}

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: object }> }>
}
export interface OpenApiDocument {
  openapi: string
  paths: Record<string, Record<string, Operation & { 'x-access'?: string }>>
  components: { schemas: Record<string, object> }
}

export async function readDocument(url: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument
}

/** Beginning of the references to components. */
export const REF_PREFIX = '#/components/schemas/'

/** Returns the document with the components in place of the references to them. */
export function withoutRefs({ components, ...document }: OpenApiDocument): Omit<OpenApiDocument, 'components'> {
  const inlined = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const { $ref, ...rest } = value
    return { ...components.schemas[String($ref).slice(REF_PREFIX.length)], ...rest }
  }
  return JSON.parse(JSON.stringify(document, inlined))
}

/** The document depends only on the code, so one gateway's document is valid for all in this process. */
let known: ReturnType<typeof readContract> | undefined
function knownContract(url: string): ReturnType<typeof readContract> {
  if (known) return known
  const reading = readContract(url)
  known = reading
  // The gateway may stop before it replies.
  reading.catch(() => {
    if (known === reading) known = undefined
  })
  return reading
}

/** Throws if a reply does not match the document; paths missing there are not checked. */
async function readContract(url: string) {
  const { paths } = withoutRefs(await readDocument(url))
  const ajv = new Ajv2020({ strict: false })
  const validators = new Map<object, ValidateFunction>()
  const routes = Object.entries(paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replace(/\/$/, '').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    literal: !template.includes('{'),
    template,
    operations,
  }))
  const ranked = routes.sort((a, b) => Number(b.literal) - Number(a.literal))
  return {
    check(method: string, path: string, { status, text, body }: ApiAnswer): void {
      const [bare = ''] = path.split('?')
      const operation = ranked.find(
        ({ pattern, operations }) => pattern.test(bare) && method.toLowerCase() in operations,
      )
      if (!operation || !reachesRoute(bare)) return
      const { responses = {} } = operation.operations[method.toLowerCase()] ?? {}
      const described = responses[String(status)] ?? responses[`${String(status)[0]}XX`]
      const where = `${method} ${operation.template} → ${status}`
      const managed = operation.operations[method.toLowerCase()]?.['x-access'] !== undefined
      // Relay errors have OpenAI's shape and are not listed for each call.
      if (!described && !managed) return
      if (!described) throw new Error(`${where} is not in the OpenAPI document: ${text.slice(0, 300)}`)
      const schema = described.content?.['application/json']?.schema
      if (!schema || text === '') return
      const validate = validators.get(schema) ?? ajv.compile(schema)
      validators.set(schema, validate)
      if (!validate(body)) {
        throw new Error(
          `${where} is not what the OpenAPI document says: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`,
        )
      }
    },
  }
}

/** The router treats undecodable paths, and parameters of more than a hundred characters, as unknown. */
function reachesRoute(path: string): boolean {
  try {
    return decodeURIComponent(path)
      .split('/')
      .every((part) => part.length <= 100)
  } catch {
    return false
  }
}
