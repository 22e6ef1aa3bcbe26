import fastifyCookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { answerError } from './envelope.ts'
import { logRoutes } from './log.ts'
import type { ApiParts } from './parts.ts'
import { statusRoutes } from './status.ts'
import { userRoutes } from './user.ts'

const BODY_MAX = 4 * 1024 * 1024

/** The management API: one plugin per resource. */
export const apiRoutes: FastifyPluginAsync<ApiParts> = async (app, parts) => {
  await app.register(fastifyCookie)
  app.setErrorHandler(answerError)
  app.decorateRequest('actor', null as never)
  app.addHook('onRoute', (route) => {
    route.bodyLimit = BODY_MAX
  })
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  await typed.register(statusRoutes, parts)
  await typed.register(userRoutes, parts)
  await typed.register(logRoutes, parts)
}
