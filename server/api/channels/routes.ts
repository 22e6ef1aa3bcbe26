import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createUnderWay } from '../../channels/under-way.ts'
import { named } from '../../named.ts'
import type { ApiParts } from '../parts.ts'
import { channelCheckRoutes } from './checks.ts'
import { channelHealthRoutes } from './health.ts'
import { channelModelRoutes } from './models.ts'
import { channelRecordRoutes } from './records.ts'
import { severalChannelRoutes } from './several.ts'
import { channelTagRoutes } from './tags.ts'

export const channelRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  const underWay = createUnderWay()
  app.addHook('onClose', () => underWay.close())
  await app.register(named(channelRecordRoutes), parts)
  await app.register(named(severalChannelRoutes), parts)
  await app.register(named(channelTagRoutes), parts)
  await app.register(named(channelHealthRoutes), parts)
  for (const routes of [channelCheckRoutes, channelModelRoutes]) {
    await app.register(named(routes), { ...parts, underWay })
  }
}
