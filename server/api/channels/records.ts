import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CHANNEL_SORTS } from '../../../core/channels/queries.ts'
import { Channel } from '../../../core/channels/schema.ts'
import { commaList, ID_MAX } from '../../../core/input.ts'
import { Done, done, Envelope, ok, PageOf } from '../envelope.ts'
import { AnswerMode, Id, IdParams, PageFields, sortQueryFields } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { ChannelFieldSchemas, ChannelKeyText, coreFields, Ids, ViewQuery } from './fields.ts'

/** Maximum page number. With larger numbers, offsets in SQL would lose precision. */
const PAGE_NUMBER_MAX = 1_000_000
const Count = Envelope(Type.Integer())
const Repaired = Type.Object(
  { channels: Type.Integer(), repaired: Type.Integer() },
  { description: 'result if answer=record' },
)
const text = Type.Optional(Type.String({ maxLength: 4096 }))
const PageQuery = Type.Object({
  ...PageFields,
  keyword: Type.Optional(Type.String({ maxLength: 4096, description: 'part of a name, or an id' })),
  group: text,
  model: Type.Optional(Type.String({ maxLength: 4096, description: 'part of the list of models' })),
  tag: text,
  status: Type.Optional(Id),
  type: Type.Optional(Id),
  ...sortQueryFields(CHANNEL_SORTS),
  ids: Type.Optional(Type.String({ maxLength: 65_536, description: 'comma list of the ids to return' })),
  ...ViewQuery,
})

/** Routes that list channels, and routes that change one or several channels by id. */
export const channelRecordRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const admin = describeRoutes('channel', 'admin')
  const { channels } = toolkit
  const list = admin('One page of channels, or of tags in tag mode. The first page is 0', {
    querystring: Type.Object({
      p: Type.Optional(Type.Integer()),
      page_size: Type.Optional(Type.Integer()),
      ...ViewQuery,
    }),
    reply: Envelope(Type.Array(Channel)),
  })
  app.get('/api/channel/', list, async ({ actor, query }) => {
    const page = Math.min(Math.max(query.p ?? 0, 0), PAGE_NUMBER_MAX) + 1
    return ok(await channels.browse(actor, { page, pageSize: query.page_size ?? 0, ...viewOf(query) }))
  })

  const page = admin('One page of channels, or of tags in tag mode, by several filters, with the total', {
    querystring: PageQuery,
    reply: Envelope(PageOf(Channel)),
  })
  app.get('/api/channel/page', page, async ({ actor, query }) => {
    const {
      p = 1,
      page_size: pageSize = 0,
      id_sort: newestFirst = false,
      tag_mode: byTag = false,
      ids,
      ...filter
    } = query
    const listQuery = { ...filter, page: p, pageSize, newestFirst, byTag, ...(ids && { ids: idsIn(ids) }) }
    return ok(await channels.list(actor, listQuery))
  })

  const search = admin(
    'Channels whose id or key is the keyword, or whose name contains it, filtered by model and group',
    {
      querystring: Type.Object({
        keyword: Type.Optional(Type.String({ maxLength: 4096 })),
        group: Type.Optional(Type.String({ maxLength: 255, description: 'empty or null: any' })),
        model: Type.Optional(Type.String({ maxLength: 255 })),
        ...ViewQuery,
      }),
      reply: Envelope(Type.Array(Channel)),
    },
  )
  app.get('/api/channel/search', search, async ({ actor, query }) => {
    const { keyword = '', group = '', model = '' } = query
    const listQuery = { keyword, model, group: group === 'null' ? '' : group }
    return ok(await channels.search(actor, { ...listQuery, ...viewOf(query) }))
  })

  const get = admin('One channel', { params: IdParams, reply: Envelope(Channel) })
  app.get('/api/channel/:id', get, async ({ actor, params }) => ok(await channels.get(actor, params.id)))

  const create = admin('Creates one channel for each line of the key. With answer=record, creates only one channel', {
    querystring: Type.Object(AnswerMode),
    body: Type.Object({ ...ChannelFieldSchemas, type: Type.Integer(), key: Type.Optional(ChannelKeyText) }),
    reply: Envelope(Channel),
  })
  app.post('/api/channel/', create, async ({ actor, query, body: { key = '', ...body } }) => {
    const fields = coreFields(body)
    if (query.answer) return ok(await channels.create(actor, { name: '', models: '', ...fields, key }))
    await channels.createMany(actor, { ...fields, key })
    return done
  })

  const update = admin('Changes the sent fields; an empty key leaves the key unchanged', {
    querystring: Type.Object({
      empty: Type.Optional(
        Type.Literal('clear', { description: 'empty texts clear `other` and `setting`; absent: they are ignored' }),
      ),
    }),
    body: Type.Object({
      ...ChannelFieldSchemas,
      id: Id,
      type: Type.Optional(Type.Integer()),
      key: Type.Optional(ChannelKeyText),
    }),
    reply: Envelope(Channel),
  })
  app.put('/api/channel/', update, async ({ actor, query, body: { id, ...changes } }) =>
    ok(await channels.update(actor, id, coreFields(changes), { emptyClears: query.empty === 'clear' })),
  )

  const remove = admin('Deletes one channel permanently', { params: IdParams, reply: Done })
  app.delete('/api/channel/:id', remove, async ({ actor, params }) => {
    await channels.delete(actor, params.id)
    return done
  })

  const removeDisabled = admin('Deletes all disabled channels; returns their number', { reply: Count })
  app.delete('/api/channel/disabled', removeDisabled, async ({ actor }) => ok(await channels.deleteDisabled(actor)))

  const removeMany = admin('Deletes the listed channels; returns their number', {
    body: Type.Object({ ids: Ids }),
    reply: Count,
  })
  app.post('/api/channel/batch', removeMany, async ({ actor, body: { ids } }) => {
    await channels.deleteMany(actor, ids)
    return ok(ids.length)
  })

  const fix = admin(
    'Repairs the abilities of all channels; returns the number of channels plus the number of repairs',
    { querystring: Type.Object(AnswerMode), reply: Envelope(Type.Union([Type.Integer(), Repaired])) },
  )
  app.post('/api/channel/fix', fix, async ({ actor, query }) => {
    const repaired = await channels.repair(actor)
    return ok(query.answer ? repaired : repaired.channels + repaired.repaired)
  })
}

function idsIn(list: string): number[] {
  return commaList(list)
    .filter((id) => /^\d{1,10}$/.test(id) && Number(id) <= ID_MAX)
    .map(Number)
}

function viewOf({ id_sort = false, tag_mode = false }: { id_sort?: boolean; tag_mode?: boolean }) {
  return { newestFirst: id_sort, byTag: tag_mode }
}
