import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Options } from '../core/options/options.ts'
import type { Limiter } from './api/limits.ts'
import { encodedFor, loadConsoleFiles } from './console-files.ts'
import { allowAnyOrigin } from './cors.ts'
import { asksForPage } from './relay/paths/aliases.ts'
import { consoleHeaders } from './security-headers.ts'
import { exceeded, invalidUrl } from './unknown-path.ts'

/** The built console, as the source of the server and the built server see it. */
const FOLDERS = ['../dist/console', '../console'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
const API_PREFIXES = ['/api', '/v1', '/v1beta', '/v1alpha', '/assets', '/pg', '/mj', '/suno']

/** Whether an address is one that programs call, and no screen. */
export function isApiPath(url: string): boolean {
  const [path = ''] = url.split('?')
  return API_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** A script of the console may be led to a screen, such as from the reply to a binding. https://www.w3.org/TR/fetch-metadata/ */
const isOfOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

/**
 * The console's files; any path that is not one of them is a screen of it, which the page itself routes. Only browsers get a
 * screen: a program that calls an unknown path must not take a page for its reply.
 */
export const consoleRoutes: FastifyPluginAsync<{
  limiter: Limiter
  services: Config['services']
  options: Options
}> = async (app, { limiter, services, options }) => {
  app.addHook('onRequest', allowAnyOrigin)
  app.addHook('onRoute', (route) => {
    route.schema = { hide: true }
  })
  // The source beside us has an index.html as well, but only what is built has assets.
  const root = FOLDERS.find((folder) => existsSync(`${folder}/assets`))
  if (!root) {
    app.get('/', async () => 'The web console is not built. Build it with: npm run build\n')
    return
  }
  const headers = consoleHeaders(options, services)
  const files = loadConsoleFiles(root)
  const send = (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = files.get(name)
    if (!file) throw new Error(`the console has no ${name}`)
    const { body, encoding } = encodedFor(file, request.headers['accept-encoding'])
    reply.headers(headers()).type(file.type)
    // A cache between us and a browser must not hand the packed copy to one that cannot read it.
    reply.header('vary', 'accept-encoding')
    // Built files carry a digest in their names; the page that names them must always be fresh.
    reply.header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(body)
  }
  for (const name of files.keys()) {
    app.get(`/${name}`, async (request, reply) => send(name, request, reply))
  }
  app.get('/', async (request, reply) => send('index.html', request, reply))
  // Built files are cached for ever and not counted: a page that loads them all counts once.
  app.get('/*', async (request, reply) => {
    if (await exceeded(limiter, request)) return reply.code(429).send()
    const isPage = asksForPage(request) || isOfOwnPage(request)
    return isApiPath(request.url) || !isPage ? invalidUrl(request, reply) : send('index.html', request, reply)
  })
}
