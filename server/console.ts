import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Options } from '../core/options/options.ts'
import { PACKAGE_FOLDER } from '../core/version.ts'
import type { Limiter } from './api/limits.ts'
import { publicStatus } from './api/status.ts'
import { type ConsoleFile, type Encoded, encodedFor, loadConsoleFiles } from './console-files.ts'
import { consolePage } from './console-page.ts'
import { allowAnyOrigin } from './cors.ts'
import { asksForPage } from './relay/paths/aliases.ts'
import { consoleHeaders } from './security-headers.ts'
import { exceeded, invalidUrl } from './unknown-path.ts'

/** The built console. */
const FOLDER = join(PACKAGE_FOLDER, 'dist/console')
const PAGE = 'index.html'
const API_PREFIXES = ['/api', '/v1', '/v1beta', '/v1alpha', '/assets', '/pg', '/mj', '/suno']

/** Whether an address is one that programs call, and no screen. */
export function isApiPath(url: string): boolean {
  const [path = ''] = url.split('?')
  return API_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** A script of the console may be led to a screen, such as from the reply to a binding. https://www.w3.org/TR/fetch-metadata/ */
const isOfOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

/** Reads the built console; undefined without a build. */
export const loadConsole = (): ReadonlyMap<string, ConsoleFile> | undefined =>
  existsSync(join(FOLDER, 'assets')) ? loadConsoleFiles(FOLDER) : undefined

interface Sent {
  name: string
  type: string
  content: Encoded
}

/**
 * The console's files; any path that is not one of them is a screen of it, which the page itself routes. Only browsers get a
 * screen: a program that calls an unknown path must not take a page for its reply.
 */
export const consoleRoutes: FastifyPluginAsync<{
  limiter: Limiter
  services: Config['services']
  options: Options
  /** When the gateway started, in unix seconds. */
  startedAt: number
  /** Absent: the console is not built. */
  files: ReadonlyMap<string, ConsoleFile> | undefined
}> = async (app, { limiter, services, options, startedAt, files }) => {
  app.addHook('onRequest', allowAnyOrigin)
  app.addHook('onRoute', (route) => {
    route.schema = { hide: true }
  })
  if (!files) {
    app.get('/', async () => 'The web console is not built. Build it with: npm run build\n')
    return
  }
  const headers = consoleHeaders(options, services)
  const index = files.get(PAGE)
  if (!index) throw new Error(`the console has no ${PAGE}`)
  const page = consolePage(index, () => publicStatus(options, services, startedAt))
  const send = (reply: FastifyReply, { name, type, content }: Sent) => {
    const { body, encoding } = encodedFor(content, reply.request.headers['accept-encoding'])
    reply.headers(headers()).type(type)
    // A cache between us and a browser must not hand the packed copy to one that cannot read it.
    reply.header('vary', 'accept-encoding')
    // Built files carry a digest in their names; the page that names them must always be fresh.
    reply.header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(body)
  }
  const sendPage = (reply: FastifyReply) => send(reply, { ...index, name: PAGE, content: page() })
  app.get('/', async (_, reply) => sendPage(reply))
  // Files are looked up here, since a route for each would take a third of the time in which the gateway starts.
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*']
    const file = files.get(name)
    if (name === PAGE) return sendPage(reply)
    // Built files are cached for ever and not counted: a page that loads them all counts once.
    if (file) return send(reply, { ...file, name })
    if (await exceeded(limiter, request)) return reply.code(429).send()
    const isPage = asksForPage(request) || isOfOwnPage(request)
    return isApiPath(request.url) || !isPage ? invalidUrl(request, reply) : sendPage(reply)
  })
}
