import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { VERSION } from '../../core/version.ts'
import { exceeded } from '../unknown-path.ts'
import type { Access } from './access.ts'
import { changesState } from './cross-site.ts'
import { Done } from './envelope.ts'
import type { Limiter } from './limits.ts'

const SIGNED_IN = [
  { session: [], user: [] },
  { accessToken: [], user: [] },
]
const SECURITY: Partial<Record<Access, Record<string, never[]>[]>> = {
  session: [{ session: [], user: [] }],
  bearer: [{ accessToken: [] }],
}

/** Collects the schemas of routes registered from here on into one OpenAPI 3.1 document. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
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

/** Serves a page for browsing the document. Like the console, its files are not rate-limited. */
export async function browseRoutes(app: FastifyInstance, { limiter }: { limiter: Limiter }): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    const isPart = request.url.startsWith('/docs/api/static/')
    if (!isPart && (await exceeded(limiter, request))) return reply.code(429).send()
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
    // The gateway may be used without TLS, so the page must not upgrade requests.
    transformStaticCSP: (policy) =>
      policy.replace(/\s*upgrade-insecure-requests;?/, '').replace(' validator.swagger.io', ''),
  })
}

/** Adds access and error replies to a route's schema. */
export function describeRefusals(route: RouteOptions): void {
  const { access = 'root' } = route.config ?? {}
  const schema = { ...route.schema }
  const response = { ...(schema.response as Record<string, unknown> | undefined) }
  if (access !== 'anyone') {
    response['401'] ??= { description: 'There is no session, or the user header is missing or wrong', ...Done }
    route.schema = { ...schema, security: SECURITY[access] ?? SIGNED_IN }
  }
  if ([route.method].flat().some((method) => changesState({ method, acts: route.config?.acts })))
    response['403'] ??= { description: 'The request is from a page of another site', ...Done }
  response['415'] ??= { description: 'A browser sent a body without `Content-Type: application/json`', ...Done }
  response['429'] ??= { description: 'Too many requests; the body is empty', type: 'null' }
  response['500'] ??= { description: 'Internal error of the gateway', ...Done }
  route.schema = { ...route.schema, response, ...{ 'x-access': access } }
}
