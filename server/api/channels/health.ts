import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ChannelsHealth, OneChannelHealth } from '../../../core/channels/health/schema.ts'
import { ChannelActivity } from '../../../core/channels/schema.ts'
import { Envelope, ok } from '../envelope.ts'
import { IdParams } from '../fields.ts'
import type { ApiParts } from '../parts.ts'

const tags = ['channel']
const config = { access: 'admin' } as const

export const channelHealthRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { channels } }) => {
  const all = {
    tags,
    summary: 'All problems: circuits that are not closed, and disabled channels',
    response: { 200: Envelope(ChannelsHealth) },
  }
  app.get('/api/channel/health', { config, schema: all }, async ({ actor }) => ok(await channels.health(actor)))

  const activity = {
    tags,
    summary: 'The last 24 hours of each channel, and the models that no other channel serves',
    response: { 200: Envelope(Type.Array(ChannelActivity)) },
  }
  app.get('/api/channel/activity', { config, schema: activity }, async ({ actor }) =>
    ok(await channels.activity(actor)),
  )

  const one = {
    tags,
    summary: 'The health of one channel, and its history, newest first',
    params: IdParams,
    response: { 200: Envelope(OneChannelHealth) },
  }
  app.get('/api/channel/:id/health', { config, schema: one }, async ({ actor, params }) =>
    ok(await channels.healthOf(actor, params.id)),
  )
}
