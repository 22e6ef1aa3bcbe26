import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ChannelsHealth, OneChannelHealth } from '../../../core/channels/health/schema.ts'
import { ChannelActivity } from '../../../core/channels/schema.ts'
import { Envelope, ok } from '../envelope.ts'
import { IdParams } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

export const channelHealthRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { channels } }) => {
  const admin = describeRoutes('channel', 'admin')
  const all = admin('All problems: circuits that are not closed, and disabled channels', {
    reply: Envelope(ChannelsHealth),
  })
  app.get('/api/channel/health', all, async ({ actor }) => ok(await channels.health(actor)))

  const activity = admin('The last 24 hours of each channel, and the models that no other channel serves', {
    reply: Envelope(Type.Array(ChannelActivity)),
  })
  app.get('/api/channel/activity', activity, async ({ actor }) => ok(await channels.activity(actor)))

  const one = admin('The health of one channel, and its history, newest first', {
    params: IdParams,
    reply: Envelope(OneChannelHealth),
  })
  app.get('/api/channel/:id/health', one, async ({ actor, params }) => ok(await channels.healthOf(actor, params.id)))
}
