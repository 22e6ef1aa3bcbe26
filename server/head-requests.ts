import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Serves HEAD by the routes of GET. Fastify would register a route of HEAD for each, a quarter of all routes, at every start.
 * Node.js sends no body, because it notes the method before a route is chosen.
 */
export function createHeadRequests() {
  const heads = new WeakSet<IncomingMessage>()
  function restore(request: IncomingMessage): void {
    if (heads.has(request)) request.method = 'HEAD'
  }
  return {
    /** Call it for a request that reaches no hook. */
    restore,
    /** Call it before the router, which then finds the route of GET. */
    routeAsGet(request: IncomingMessage): void {
      if (request.method !== 'HEAD') return
      request.method = 'GET'
      heads.add(request)
    },
    /** Restores the method for hooks and handlers, and states the length of the omitted body. Call it before other hooks are added. */
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
