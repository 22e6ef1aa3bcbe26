import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { named } from '../named.ts'
import { guardRoutes } from './access.ts'
import { accountRoutes } from './account.ts'
import { createAdminCredentials } from './admin-credentials.ts'
import { auditRoutes } from './audit.ts'
import { channelRoutes } from './channels/routes.ts'
import { configurationRoutes } from './configuration.ts'
import { contentRoutes } from './content.ts'
import { dataRoutes } from './data.ts'
import { answerError } from './envelope.ts'
import { groupRoutes } from './groups.ts'
import { jobRoutes } from './jobs.ts'
import { ledgerRoutes } from './ledger.ts'
import type { AdminLimiters, Limiter } from './limits.ts'
import { logRoutes } from './log.ts'
import { logWholeRoutes } from './log-whole.ts'
import { managementKeyRoutes } from './management-keys.ts'
import { modelListRoutes } from './models.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { describeRefusals } from './openapi.ts'
import { optionRoutes } from './options.ts'
import type { ApiParts } from './parts.ts'
import { pictureRoutes } from './pictures.ts'
import { pricingRoutes } from './pricing.ts'
import { BODY_MAX, readLeniently } from './reading.ts'
import { redemptionRoutes } from './redemption.ts'
import { selfRoutes } from './self.ts'
import { statusRoutes } from './status.ts'
import { taskRoutes } from './tasks.ts'
import { tokenRoutes } from './tokens.ts'
import { checkBots } from './turnstile.ts'
import { usersRoutes } from './users.ts'
import { walletRoutes } from './wallet.ts'

const RESOURCES = [
  statusRoutes,
  jobRoutes,
  logRoutes,
  logWholeRoutes,
  ledgerRoutes,
  auditRoutes,
  accountRoutes,
  selfRoutes,
  managementKeyRoutes,
  usersRoutes,
  oauthRoutes,
  optionRoutes,
  configurationRoutes,
  contentRoutes,
  channelRoutes,
  tokenRoutes,
  redemptionRoutes,
  walletRoutes,
  dataRoutes,
  taskRoutes,
  groupRoutes,
  modelListRoutes,
  pricingRoutes,
  pictureRoutes,
]

/** The management API: one plugin per resource. */
export const apiRoutes: FastifyPluginAsync<
  ApiParts & { limiters: Record<'api' | 'critical', Limiter> & { admin: AdminLimiters } }
> = async (app, { limiters, ...parts }) => {
  await app.register(fastifyCookie)
  // Bodies are decompressed by `receiveBody`, which stops at their limit.
  await app.register(fastifyCompress, { encodings: ['gzip'], globalDecompression: false })
  app.setErrorHandler(answerError)
  const admins = createAdminCredentials(parts.toolkit)
  /** Administrators are counted by their credential, others by their address: a pipeline shares its address with many. */
  async function limitCalls(request: FastifyRequest): Promise<void> {
    const admin = admins.known(request)
    if (admin !== undefined) return limiters.admin.credential(request, admin)
    try {
      await limiters.api(request)
    } catch (error) {
      await limiters.admin.proof(request)
      if (!(await admins.prove(request))) throw error
    }
  }
  app.addHook('onRoute', (route) => {
    route.bodyLimit = BODY_MAX
    describeRefusals(route)
  })
  app.addHook('onRequest', async (request) => {
    await limitCalls(request)
    if (request.routeOptions.config.critical) await limiters.critical(request)
  })
  guardRoutes(app, parts.toolkit, { onAdmin: admins.remember })
  checkBots(app, parts)
  readLeniently(app, { bodies: parts.bodies, itemsMax: parts.config.bodyItemsMax })
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  for (const routes of RESOURCES) await typed.register(named(routes), parts)
  app.get('/api/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
}
