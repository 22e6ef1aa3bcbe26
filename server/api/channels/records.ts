import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Channel } from '../../../core/channels/schema.ts'
import { Done, done, Envelope, ok } from '../envelope.ts'
import { Id, IdParams } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { ChannelFields, Ids, Key, ViewQuery } from './fields.ts'

/** Beyond this there is no page, and offsets stay exact. */
const PAGE_NUMBER_MAX = 1_000_000
const tags = ['channel']
const config = { access: 'admin' } as const
const Count = Envelope(Type.Integer())

/** Lists, and what is done to one channel or to several by their numbers. */
export const channelRecordRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const { channels } = toolkit
  const list = {
    tags,
    summary: 'One page of channels, the first is 0; in tag mode one page of tags',
    querystring: Type.Object({
      p: Type.Optional(Type.Integer()),
      page_size: Type.Optional(Type.Integer()),
      ...ViewQuery,
    }),
    response: { 200: Envelope(Type.Array(Channel)) },
  }
  app.get('/api/channel/', { config, schema: list }, async ({ actor, query }) => {
    const page = Math.min(Math.max(query.p ?? 0, 0), PAGE_NUMBER_MAX) + 1
    return ok(await channels.browse(actor, { page, pageSize: query.page_size ?? 0, ...viewOf(query) }))
  })

  const search = {
    tags,
    summary: 'Channels by id, part of the name or whole key; by part of their models; by group',
    querystring: Type.Object({
      keyword: Type.Optional(Type.String({ maxLength: 4096 })),
      group: Type.Optional(Type.String({ maxLength: 255, description: 'empty or null: any' })),
      model: Type.Optional(Type.String({ maxLength: 255 })),
      ...ViewQuery,
    }),
    response: { 200: Envelope(Type.Array(Channel)) },
  }
  app.get('/api/channel/search', { config, schema: search }, async ({ actor, query }) => {
    const { keyword = '', group = '', model = '' } = query
    const wanted = { keyword, model, group: group === 'null' ? '' : group }
    return ok(await channels.search(actor, { ...wanted, ...viewOf(query) }))
  })

  const get = { tags, summary: 'One channel', params: IdParams, response: { 200: Envelope(Channel) } }
  app.get('/api/channel/:id', { config, schema: get }, async ({ actor, params }) =>
    ok(await channels.get(actor, params.id)),
  )

  const create = {
    tags,
    summary: 'One channel for each line of the key',
    body: Type.Object({ ...ChannelFields, type: Type.Integer(), key: Type.Optional(Key) }),
    response: { 200: Done },
  }
  app.post('/api/channel/', { config, schema: create }, async ({ actor, body: { key = '', ...body } }) => {
    await channels.createMany(actor, { ...body, key })
    return done
  })

  const update = {
    tags,
    summary: 'Writes the fields that are sent; an empty key keeps the key',
    body: Type.Object({ ...ChannelFields, id: Id, type: Type.Optional(Type.Integer()), key: Type.Optional(Key) }),
    response: { 200: Envelope(Channel) },
  }
  app.put('/api/channel/', { config, schema: update }, async ({ actor, body: { id, ...changes } }) =>
    ok(await channels.update(actor, id, changes)),
  )

  const remove = { tags, summary: 'Deletes one channel for good', params: IdParams, response: { 200: Done } }
  app.delete('/api/channel/:id', { config, schema: remove }, async ({ actor, params }) => {
    await channels.delete(actor, params.id)
    return done
  })

  const removeDisabled = { tags, summary: 'Deletes all disabled channels; answers how many', response: { 200: Count } }
  app.delete('/api/channel/disabled', { config, schema: removeDisabled }, async ({ actor }) =>
    ok(await channels.deleteDisabled(actor)),
  )

  const removeMany = {
    tags,
    summary: 'Deletes these channels; answers how many were named',
    body: Type.Object({ ids: Ids }),
    response: { 200: Count },
  }
  app.post('/api/channel/batch', { config, schema: removeMany }, async ({ actor, body: { ids } }) => {
    await channels.deleteMany(actor, ids)
    return ok(ids.length)
  })

  const fix = {
    tags,
    summary:
      'Makes the abilities agree with the channels; answers how many channels there are, plus how many were wrong',
    response: { 200: Count },
  }
  app.post('/api/channel/fix', { config, schema: fix }, async ({ actor }) => {
    const { channels: seen, repaired } = await channels.repair(actor)
    return ok(seen + repaired)
  })
}

function viewOf({ id_sort = false, tag_mode = false }: { id_sort?: boolean; tag_mode?: boolean }) {
  return { newestFirst: id_sort, byTag: tag_mode }
}
