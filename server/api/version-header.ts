import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../core/version.ts'

/** Newer clients detect an incompatible gateway by this header, even on unknown paths. */
const VERSION_HEADER = 'tollgate-version'

/** Adds the version to every reply below `/api/`; `GET /api/status` also returns it. */
export function nameVersion(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) reply.header(VERSION_HEADER, VERSION)
    done()
  })
}
