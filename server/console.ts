import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Options } from '../core/options/options.ts'
import { PACKAGE_FOLDER } from '../core/version.ts'
import type { RequestLimiter } from './api/limits.ts'
import { publicStatus } from './api/status.ts'
import { type ConsoleFile, type Encoded, encodedFor, loadConsoleFiles } from './console-files.ts'
import { consolePage } from './console-page.ts'
import { allowAnyOrigin } from './cors.ts'
import { asksForPage } from './relay/paths/aliases.ts'
import { consoleHeaders } from './security-headers.ts'
import { invalidUrl, isLimitExceeded } from './unknown-path.ts'

const FOLDER = join(PACKAGE_FOLDER, 'dist/console')
const PAGE = 'index.html'
const API_PREFIXES = ['/api', '/v1', '/v1beta', '/v1alpha', '/assets', '/pg', '/mj', '/suno']

/** Returns whether a URL is below a path prefix that programs call. Other URLs are files or screens of the console. */
export function isApiPath(url: string): boolean {
  const [path = ''] = url.split('?')
  return API_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/**
 * Returns whether a page of this origin sent the request. Such a request gets the console's page, because a reply may
 * redirect a script of the console to the path of a screen, and the script must be able to follow.
 * https://www.w3.org/TR/fetch-metadata/
 */
const isOfOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

/** Reads the built console. Returns undefined without a build. */
export const loadConsole = (): ReadonlyMap<string, ConsoleFile> | undefined =>
  existsSync(join(FOLDER, 'assets')) ? loadConsoleFiles(FOLDER) : undefined

interface SentFile {
  name: string
  type: string
  content: Encoded
}

/**
 * Serves the console's files. For any other path, browsers get the page, which shows the screen of that path. Programs
 * get an error, because HTML with status 200 would look like success.
 */
export const consoleRoutes: FastifyPluginAsync<{
  limiter: RequestLimiter
  services: Config['services']
  options: Options
  /** Start time of the gateway, in Unix seconds. */
  startedAt: number
  /** Undefined if the console is not built. */
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
  const send = (reply: FastifyReply, { name, type, content }: SentFile) => {
    const { body, encoding } = encodedFor(content, reply.request.headers['accept-encoding'])
    reply.headers(headers()).type(type)
    // Shared caches must send a compressed copy only to clients that accept its encoding.
    reply.header('vary', 'accept-encoding')
    // A name in `assets/` contains a digest of the file, so the file never changes. The page can change with each
    // build.
    reply.header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(body)
  }
  const sendPage = (reply: FastifyReply) => send(reply, { ...index, name: PAGE, content: page() })
  app.get('/', async (_, reply) => sendPage(reply))
  // One route serves all files, because a route for each file would take a third of the gateway's start time.
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*']
    const file = files.get(name)
    if (name === PAGE) return sendPage(reply)
    // Files do not count against the rate limit, because one screen loads many files. Browsers cache the files.
    if (file) return send(reply, { ...file, name })
    if (await isLimitExceeded(limiter, request)) return reply.code(429).send()
    const isPage = asksForPage(request) || isOfOwnPage(request)
    return isApiPath(request.url) || !isPage ? invalidUrl(request, reply) : sendPage(reply)
  })
}
