import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import type { Limiter } from './api/limits.ts'
import { allowAnyOrigin } from './cors.ts'
import { exceeded, invalidUrl } from './unknown-path.ts'

const FOLDERS = ['../console', '../dist/console'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
const API_PREFIXES = ['/api', '/v1', '/v1beta', '/v1alpha', '/assets', '/pg', '/mj', '/suno']

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/** The console's files; any path that is not one of them is a screen of it, which the page itself routes. */
export const consoleRoutes: FastifyPluginAsync<{ limiter: Limiter }> = async (app, { limiter }) => {
  app.addHook('onRequest', allowAnyOrigin)
  app.addHook('onRoute', (route) => {
    route.schema = { hide: true }
  })
  const root = FOLDERS.find((folder) => existsSync(`${folder}/index.html`))
  if (!root) {
    app.get('/', async () => 'The web console is not built. Build it with: npm run build\n')
    return
  }
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    // It would have the last word after setHeaders.
    cacheControl: false,
    setHeaders(response, path) {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
      // Built files carry a digest in their names; the page that names them must always be fresh.
      const lasting = path.includes('/assets/')
      response.setHeader('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Built files are cached for ever and not counted: a page that loads them all counts once.
  app.get('/*', async (request, reply) => {
    if (await exceeded(limiter, request)) return reply.code(429).send()
    const [path = ''] = request.url.split('?')
    const isApi = API_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    return isApi ? invalidUrl(request, reply) : reply.sendFile('index.html')
  })
}
