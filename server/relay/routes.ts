import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyError, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import { GatewayError } from '../../core/errors.ts'
import { chooseLanguage } from '../../core/messages/messages.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { refusalToWire } from './error.ts'
import { modelRoutes } from './models.ts'
import type { Operation } from './operations.ts'
import type { Relay } from './relay.ts'

const ROUTES: Record<string, Operation> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'completions',
  '/v1/embeddings': 'embeddings',
}
const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

/** What programs call. Bodies stay bytes: they are parsed once, and mostly sent on as they came. */
export const relayRoutes: FastifyPluginAsync<{
  relay: Relay
  toolkit: LocalToolkit
  directory: ChannelDirectory
  bodyMax: number
}> = async (app, { relay, toolkit, directory, bodyMax }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const decoder = DECODERS[request.headers['content-encoding'] ?? '']
    if (!decoder) return done(null, payload)
    delete request.headers['content-encoding']
    delete request.headers['content-length']
    const decoded = decoder()
    // Whichever ends first takes the other along; how it failed is told to whoever reads.
    pipeline(payload, decoded, () => {})
    done(null, decoded as unknown as typeof payload)
  })
  // Browsers of any origin may call the relay: the key is the only credential, and it is never a cookie.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin) reply.raw.setHeader('access-control-allow-origin', '*')
    done()
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const wire = refusalToWire(asRefusal(error, bodyMax), { requestId: request.id, language: languageOf(request) })
    reply.code(wire.status).send(wire.body)
  })
  for (const [path, operation] of Object.entries(ROUTES)) {
    app.post(path, (request, reply) => relay.handle(operation, request, reply))
    app.options(path, async (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'GET,POST,PUT,DELETE,OPTIONS')
        .header('access-control-allow-headers', '*')
        .header('access-control-max-age', '43200')
        .send(),
    )
  }
  await app.register(modelRoutes, { toolkit, directory })
}

export function languageOf(request: FastifyRequest) {
  return chooseLanguage(request.headers['accept-language'], 'en')
}

/** Fastify's own refusals of a body, in our words. */
function asRefusal(error: FastifyError, bodyMax: number): unknown {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new GatewayError('REQUEST_TOO_LARGE', { max: bodyMax }, { cause: error })
  if (
    error.code?.startsWith('FST_ERR_CTP') ||
    error.code?.startsWith('Z_') ||
    error.code?.startsWith('ERR__ERROR_FORMAT')
  ) {
    return new GatewayError('REQUEST_MALFORMED', { reason: 'the body cannot be read' }, { cause: error })
  }
  return error
}
