import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { named } from '../named.ts'
import { guardRoutes } from './access.ts'
import { accountRoutes } from './account.ts'
import { auditRoutes } from './audit.ts'
import { batchRoutes } from './batches.ts'
import { channelRoutes } from './channels/routes.ts'
import { configurationRoutes } from './configuration.ts'
import { contentRoutes } from './content.ts'
import { dataRoutes } from './data.ts'
import { answerError } from './envelope.ts'
import { firstStepsRoutes } from './first-steps.ts'
import { groupRoutes } from './groups.ts'
import { jobRoutes } from './jobs.ts'
import { type CachedCaller, createKnownCredentials } from './known-credentials.ts'
import { ledgerRoutes } from './ledger.ts'
import type { CallerLimiters, RequestLimiter } from './limits.ts'
import { logRoutes } from './log.ts'
import { logRowRoutes } from './log-rows.ts'
import { managementKeyRoutes } from './management-keys.ts'
import { modelListRoutes } from './models.ts'
import { noticeRoutes } from './notices.ts'
import { githubRoutes } from './oauth/github.ts'
import { linuxdoRoutes } from './oauth/linuxdo.ts'
import { oidcRoutes } from './oauth/oidc.ts'
import { stateRoutes } from './oauth/state.ts'
import { telegramRoutes } from './oauth/telegram.ts'
import { wechatRoutes } from './oauth/wechat.ts'
import { optionRoutes } from './options.ts'
import type { ApiParts } from './parts.ts'
import { pictureRoutes } from './pictures.ts'
import { pricingRoutes } from './pricing.ts'
import { BODY_MAX, readLeniently } from './reading.ts'
import { redemptionRoutes } from './redemption.ts'
import { requestLimitRoutes } from './request-limits.ts'
import { selfRoutes } from './self.ts'
import { statusRoutes } from './status.ts'
import { taskRoutes } from './tasks.ts'
import { teamKeyRoutes } from './teams/keys.ts'
import { teamMemberRoutes } from './teams/members.ts'
import { teamRecordRoutes } from './teams/records.ts'
import { teamUsageRoutes } from './teams/usage.ts'
import { tokenRoutes } from './tokens.ts'
import { checkBots } from './turnstile.ts'
import { usersRoutes } from './users.ts'
import { walletRoutes } from './wallet.ts'

const RESOURCES = [
  statusRoutes,
  jobRoutes,
  logRoutes,
  logRowRoutes,
  ledgerRoutes,
  auditRoutes,
  accountRoutes,
  selfRoutes,
  managementKeyRoutes,
  usersRoutes,
  stateRoutes,
  githubRoutes,
  linuxdoRoutes,
  wechatRoutes,
  telegramRoutes,
  oidcRoutes,
  optionRoutes,
  configurationRoutes,
  contentRoutes,
  channelRoutes,
  tokenRoutes,
  teamRecordRoutes,
  teamMemberRoutes,
  teamKeyRoutes,
  teamUsageRoutes,
  requestLimitRoutes,
  noticeRoutes,
  redemptionRoutes,
  walletRoutes,
  dataRoutes,
  firstStepsRoutes,
  taskRoutes,
  batchRoutes,
  groupRoutes,
  modelListRoutes,
  pricingRoutes,
  pictureRoutes,
]

/** The management API: one plugin per resource. */
export const apiRoutes: FastifyPluginAsync<
  ApiParts & { limiters: Record<'api' | 'critical', RequestLimiter> & { caller: CallerLimiters } }
> = async (app, { limiters, ...parts }) => {
  await app.register(fastifyCookie)
  // Fastify must not decompress request bodies, because `receiveBody` decompresses them and stops at the size limit.
  await app.register(fastifyCompress, { encodings: ['gzip'], globalDecompression: false })
  app.setErrorHandler(answerError)
  const credentials = createKnownCredentials(parts.toolkit)
  /**
   * Returns the limiter for an authenticated caller. It replaces the limit of the address, which many users may share.
   * Reads by sessions count per user, across all tabs. Other calls of administrators count per credential. Other reads
   * count per user. Returns undefined for other calls, to which the limit of the address applies.
   */
  function limitOf(request: FastifyRequest, caller: CachedCaller | undefined): (() => Promise<void>) | undefined {
    if (!caller) return undefined
    const { acts, critical } = request.routeOptions.config
    const isRead = request.method === 'GET' && !acts && !critical
    const user = `user ${caller.userId}`
    if (isRead && caller.isSession) return () => limiters.caller.sessionReads(request, user)
    if (caller.isAdmin) return () => limiters.caller.callsOfCaller(request, caller.digest)
    return isRead ? () => limiters.caller.callsOfCaller(request, user) : undefined
  }
  async function limitCalls(request: FastifyRequest): Promise<void> {
    const limit = limitOf(request, credentials.findCached(request))
    if (limit) return limit()
    try {
      await limiters.api(request)
    } catch (error) {
      await limiters.caller.credentialChecks(request)
      if (!limitOf(request, await credentials.verify(request))) throw error
    }
  }
  app.addHook('onRoute', (route) => {
    route.bodyLimit = BODY_MAX
  })
  app.addHook('onRequest', async (request) => {
    await limitCalls(request)
    if (request.routeOptions.config.critical) await limiters.critical(request)
  })
  guardRoutes(app, parts.toolkit, { onUser: credentials.remember })
  checkBots(app, parts)
  readLeniently(app, { bodies: parts.bodies, itemsMax: parts.config.bodyItemsMax })
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  for (const routes of RESOURCES) await typed.register(named(routes), parts)
  app.get('/api/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
}
