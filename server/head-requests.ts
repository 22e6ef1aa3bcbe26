import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Serves HEAD requests with the GET routes, because registering a HEAD route for each GET route would delay every
 * start. Node.js still omits the body, because Node.js records the method HEAD before the router runs.
 */
export function createHeadRequests() {
  const heads = new WeakSet<IncomingMessage>()
  function restore(request: IncomingMessage): void {
    if (heads.has(request)) request.method = 'HEAD'
  }
  return {
    /** Restores the method HEAD. Call it for a request that reaches no hook. */
    restore,
    /**
     * Changes the method from HEAD to GET. Call it before the router runs, so that the router selects the GET route.
     */
    routeAsGet(request: IncomingMessage): void {
      if (request.method !== 'HEAD') return
      request.method = 'GET'
      heads.add(request)
    },
    /**
     * Adds hooks that restore the method and set `content-length` of the omitted body. Call it before you add other
     * hooks.
     */
    serve(app: FastifyInstance): void {
      app.addHook('onRequest', ({ raw }, _reply, done) => {
        restore(raw)
        done()
      })
      app.addHook('onSend', (request, reply, payload, done) => {
        if (request.method !== 'HEAD') return done(null, payload)
        if (payload instanceof Readable) payload.on('error', () => {}).destroy()
        else reply.header('content-length', Buffer.byteLength((payload ?? '') as string | Buffer))
        done(null, null)
      })
    },
  }
}
