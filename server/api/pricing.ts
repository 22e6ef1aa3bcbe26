import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupDescriptions, groupRatios } from '../../core/groups/groups.ts'
import { createPriceDetails, PriceDetail } from '../../core/pricing/price-details.ts'
import { createPriceList, ListedPrice } from '../../core/pricing/price-list.ts'
import { sessionUser } from './access.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

/** The documented reply: groups are beside `data`, and a success has no message. */
const PriceList = Type.Object({
  success: Type.Boolean(),
  data: Type.Optional(Type.Array(ListedPrice)),
  group_ratio: Type.Optional(Type.Record(Type.String(), Type.Number())),
  usable_group: Type.Optional(Type.Record(Type.String(), Type.String())),
  message: Type.Optional(Type.String({ description: 'only in an error' })),
})

export const pricingRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, directory }) => {
  const anyone = describeRoutes('pricing', 'anyone')
  const user = describeRoutes('pricing', 'user')
  const { options, pricing } = toolkit
  const listPrices = createPriceList({ directory, pricing, options })
  const schema = anyone('Prices of all models, and the groups that the visitor may use', { reply: PriceList })
  app.get('/api/pricing', schema, async (request) => {
    const group = (await sessionUser(toolkit, request))?.group
    return {
      success: true,
      data: [...(await listPrices())],
      group_ratio: groupRatios(options, group),
      usable_group: { ...groupDescriptions(options, group) },
    }
  })

  const details = createPriceDetails({ directory, pricing })
  const all = user('All prices of models with their sources; for administrators also unpriced models', {
    querystring: Type.Object({
      model: Type.Optional(Type.String({ maxLength: 1000, description: 'only this model, even an unavailable one' })),
    }),
    reply: Envelope(Type.Array(PriceDetail)),
  })
  app.get('/api/pricing/details', all, async ({ actor, query: { model } }) =>
    ok(model === undefined ? await details.list(actor) : [await details.get(actor, model)]),
  )
}
