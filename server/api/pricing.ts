import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupDescriptions, groupRatios } from '../../core/groups/groups.ts'
import { createPriceList, ListedPrice } from '../../core/pricing/price-list.ts'
import { sessionUser } from './access.ts'
import type { ApiParts } from './parts.ts'

/** The documented shape: the groups stand beside `data`, and there is no message. */
const PriceList = Type.Object({
  success: Type.Boolean(),
  data: Type.Optional(Type.Array(ListedPrice)),
  group_ratio: Type.Optional(Type.Record(Type.String(), Type.Number())),
  usable_group: Type.Optional(Type.Record(Type.String(), Type.String())),
  message: Type.Optional(Type.String({ description: 'of a refusal alone' })),
})

/** What models cost, for anybody. */
export const pricingRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, directory }) => {
  const { options, pricing } = toolkit
  const listPrices = createPriceList({ directory, pricing, options })
  const schema = {
    tags: ['pricing'],
    summary: 'Prices of all models, and the groups that the visitor may use',
    response: { 200: PriceList },
  }
  app.get('/api/pricing', { config: { access: 'anyone' }, schema }, async (request) => {
    const group = (await sessionUser(toolkit, request))?.group
    return {
      success: true,
      data: [...(await listPrices())],
      group_ratio: groupRatios(options, group),
      usable_group: { ...groupDescriptions(options, group) },
    }
  })
}
