import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { named } from '../../named.ts'
import type { ApiParts } from '../parts.ts'
import { githubRoutes } from './github.ts'
import { linuxdoRoutes } from './linuxdo.ts'
import { oidcRoutes } from './oidc.ts'
import { stateRoutes } from './state.ts'
import { telegramRoutes } from './telegram.ts'
import { wechatRoutes } from './wechat.ts'

export const oauthRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  for (const routes of [stateRoutes, githubRoutes, linuxdoRoutes, wechatRoutes, telegramRoutes, oidcRoutes]) {
    await app.register(named(routes), parts)
  }
}
