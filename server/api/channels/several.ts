import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { Channel } from '../../../core/channels/schema.ts'
import { ERROR_KINDS, GatewayError, type Params } from '../../../core/errors.ts'
import { errorText, visibleParams } from '../../../core/messages/messages.ts'
import { apiLanguageOf, Envelope, ok } from '../envelope.ts'
import { IdParams } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { Ids } from './fields.ts'

/**
 * A field that accepts any type. Core checks the value and reports an error with the position of the channel. Null
 * means absent.
 */
const field = (description: string) => Type.Optional(Type.Unknown({ description }))
const text = field('text')
const whole = field('whole number')
const UncheckedChannel = Type.Object({
  name: text,
  type: whole,
  key: text,
  models: text,
  base_url: text,
  other: text,
  group: text,
  model_mapping: text,
  status_code_mapping: text,
  priority: whole,
  weight: whole,
  tag: text,
  test_model: text,
  openai_organization: text,
  auto_ban: whole,
  setting: text,
  status: whole,
})
const Refused = Type.Object({
  at: Type.Integer({ description: 'position in the list, from 0' }),
  code: Type.String(),
  kind: Type.Enum([...ERROR_KINDS]),
  params: Type.Unsafe<Params>(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  ),
  message: Type.String(),
})

export const severalChannelRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { channels } }) => {
  const admin = describeRoutes('channel', 'admin')
  const createAll = admin('Creates all listed channels, or none if one is invalid; returns the errors', {
    querystring: Type.Object({
      check: Type.Optional(Type.Boolean({ description: 'create none, only validate' })),
    }),
    body: Type.Object({ channels: Type.Array(UncheckedChannel) }),
    reply: Envelope(Type.Object({ created: Type.Array(Channel), refused: Type.Array(Refused) })),
  })
  app.post('/api/channel/several', createAll, async (request) => {
    const { actor, query, body } = request
    const newChannels = body.channels as unknown as NewChannel[]
    const { created, refused } = await channels.createAll(actor, newChannels, { checkOnly: query.check === true })
    const language = apiLanguageOf(request)
    const errors = refused.flatMap(({ at, error }) => {
      if (!(error instanceof GatewayError)) return []
      const { code, kind } = error
      return [{ at, code, kind, params: visibleParams(error), message: errorText(error, language) }]
    })
    return ok({ created, refused: errors })
  })

  const status = admin('Enables or disables all listed channels, or none; returns their number', {
    body: Type.Object({ ids: Ids, status: Type.Integer({ description: '1 enabled, 2 disabled' }) }),
    reply: Envelope(Type.Integer()),
  })
  app.post('/api/channel/batch/status', status, async ({ actor, body }) => {
    await channels.setStatusOfMany(actor, body.ids, body.status)
    return ok(new Set(body.ids).size)
  })

  const copy = admin('Copies a channel with its key, under another name', {
    params: IdParams,
    body: Type.Object({
      name: Type.Optional(Type.String({ maxLength: 1024, description: 'absent: an unused name' })),
    }),
    reply: Envelope(Channel),
  })
  app.post('/api/channel/:id/copy', copy, async ({ actor, params, body }) =>
    ok(await channels.copy(actor, params.id, body.name)),
  )
}
