import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { VERSION } from '../../core/version.ts'
import { isLimitExceeded } from '../unknown-path.ts'
import type { Access } from './access.ts'
import { withComponents } from './components.ts'
import { changesState } from './cross-site.ts'
import { Done } from './envelope.ts'
import type { RequestLimiter } from './limits.ts'

const SIGNED_IN = [
  { session: [], user: [] },
  { accessToken: [], user: [] },
]
const SECURITY: Partial<Record<Access, Record<string, never[]>[]>> = {
  session: [{ session: [], user: [] }],
  bearer: [{ accessToken: [] }],
}

/** Reply schemas by status code. */
type Replies = Readonly<Record<string, unknown>>

/**
 * Collects the schemas of all routes that are registered after this call into one OpenAPI 3.1 document. Fastify itself
 * gets only the success schema, because error replies have no fields to filter out. Also, V8 would reserve 600 slots
 * for each object with the numeric key 401.
 */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  const replies = new WeakMap<RouteOptions, Replies>()
  app.addHook('onRoute', (route) => {
    const response = route.schema?.response as Replies | undefined
    if (!response) return
    replies.set(route, response)
    route.schema = { ...route.schema, response: { '2xx': response['200'] } }
  })
  await app.register(fastifySwagger, {
    transform: ({ url, route }) => ({ schema: documentedSchema(route, replies.get(route)), url }),
    transformObject: (document) =>
      'openapiObject' in document ? withComponents(document.openapiObject) : document.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate',
        version: VERSION,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'The management API returns `{success, message, data}`, with status 200 for errors too: check `success`. ' +
          'Status 401 means that the caller is not signed in. Messages are Chinese, or English with `Accept-Language: en`. ' +
          'Every reply below `/api/` has the version of the gateway in the header `tollgate-version`.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'session' },
          accessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
          user: {
            type: 'apiKey',
            in: 'header',
            name: 'Tollgate-User',
            description: 'Id of the signed-in user; `New-Api-User` is accepted too',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk-…' },
        },
      },
    },
  })
}

/**
 * Serves a page that displays the OpenAPI document. Like the console's files, the page's files are not rate-limited.
 */
export async function browseRoutes(app: FastifyInstance, { limiter }: { limiter: RequestLimiter }): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    const isFile = request.url.startsWith('/docs/api/static/')
    if (!isFile && (await isLimitExceeded(limiter, request))) return reply.code(429).send()
  })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs/api',
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
    },
    theme: { title: 'Tollgate API' },
    staticCSP: true,
    // Without TLS, the browser must not change `http` URLs of the page to `https`.
    transformStaticCSP: (policy) =>
      policy.replace(/\s*upgrade-insecure-requests;?/, '').replace(' validator.swagger.io', ''),
  })
}

/**
 * Returns a route's schema with its replies and its access. Adds the errors that all routes with this access can
 * return.
 */
function documentedSchema(
  { schema = {}, method, config = {} }: RouteOptions,
  replies: Replies | undefined,
): FastifySchema {
  const { access, acts, critical, botCheck } = config
  if (access === undefined) return replies ? { ...schema, response: replies } : schema
  const response: Record<string, unknown> = { ...replies }
  if (access !== 'anyone')
    response['401'] ??= { description: 'There is no session, or the user header is missing or wrong', ...Done }
  if ([method].flat().some((verb) => changesState({ method: verb, acts })))
    response['403'] ??= { description: 'The request is from a page of another site', ...Done }
  response['415'] ??= { description: 'A browser sent a body without `Content-Type: application/json`', ...Done }
  response['429'] ??= { description: 'Too many requests; the body is empty', type: 'null' }
  response['500'] ??= { description: 'Internal error of the gateway', ...Done }
  const security = access === 'anyone' ? {} : { security: SECURITY[access] ?? SIGNED_IN }
  const marks = {
    'x-access': access,
    ...(critical && { 'x-critical': true }),
    ...(botCheck && { 'x-bot-check': true }),
  }
  return { ...schema, ...security, response, ...marks }
}
