import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../core/version.ts'

/** Programs that are newer than the gateway see by it that their calls would be misunderstood, also where there is no such path. */
const VERSION_HEADER = 'tollgate-version'

/** Every answer below `/api/` names the version, which `GET /api/status` tells to everybody. */
export function nameVersion(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) reply.header(VERSION_HEADER, VERSION)
    done()
  })
}
