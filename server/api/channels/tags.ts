import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { Done, done, Envelope, ok } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { ChannelFieldSchemas, groupList, Ids } from './fields.ts'

const tag = Type.String({ maxLength: 255 })

export const channelTagRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const admin = describeRoutes('channel', 'admin')
  const { channels } = toolkit

  for (const [word, status] of [
    ['enabled', CHANNEL_STATUS.enabled],
    ['disabled', CHANNEL_STATUS.disabled],
  ] as const) {
    const setStatus = admin(`Sets all channels of a tag to ${word}`, { body: Type.Object({ tag }), reply: Done })
    app.post(`/api/channel/tag/${word}`, setStatus, async ({ actor, body }) => {
      await channels.setTagStatus(actor, body.tag, status)
      return done
    })
  }

  const { models, model_mapping, priority, weight, groups } = ChannelFieldSchemas
  const update = admin('Changes fields of all channels of a tag; an empty new_tag removes the tag', {
    body: Type.Object({
      tag: Type.Optional(tag),
      new_tag: Type.Optional(tag),
      models,
      groups,
      model_mapping,
      priority,
      weight,
    }),
    reply: Done,
  })
  app.put('/api/channel/tag', update, async ({ actor, body: { tag = '', groups, ...changes } }) => {
    await channels.updateTag(actor, tag, { ...changes, ...(groups !== undefined && { groups: groupList(groups) }) })
    return done
  })

  const label = admin('Sets the tag of the listed channels; null removes the tag. Returns the number of channels', {
    body: Type.Object({ ids: Ids, tag: Type.Optional(Type.Union([tag, Type.Null()])) }),
    reply: Envelope(Type.Integer()),
  })
  app.post('/api/channel/batch/tag', label, async ({ actor, body: { ids, tag = null } }) => {
    await channels.tagChannels(actor, ids, tag)
    return ok(ids.length)
  })
}
