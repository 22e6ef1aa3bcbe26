import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { named } from '../../named.ts'
import { createPendingWork } from '../../pending-work.ts'
import type { ApiParts } from '../parts.ts'
import { channelCheckRoutes } from './checks.ts'
import { channelHealthRoutes } from './health.ts'
import { channelModelRoutes } from './models.ts'
import { channelRecordRoutes } from './records.ts'
import { severalChannelRoutes } from './several.ts'
import { channelTagRoutes } from './tags.ts'

export const channelRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  const pendingCalls = createPendingWork()
  app.addHook('onClose', () => pendingCalls.close())
  await app.register(named(channelRecordRoutes), parts)
  await app.register(named(severalChannelRoutes), parts)
  await app.register(named(channelTagRoutes), parts)
  await app.register(named(channelHealthRoutes), parts)
  for (const routes of [channelCheckRoutes, channelModelRoutes]) {
    await app.register(named(routes), { ...parts, pendingCalls })
  }
}
