import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BUILT_IN_MODELS } from '../../../core/channels/types/catalog.ts'
import { ChannelKind, listKinds } from '../../../core/channels/types/kind-list.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { guardFor } from '../../channels/guard.ts'
import { modelsAt, modelsOfChannel } from '../../channels/model-list.ts'
import { answerError, apiLanguageOf, Done, Envelope, ok, reportedError } from '../envelope.ts'
import { IdParams } from '../fields.ts'
import type { ChannelParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { ChannelKeyText } from './fields.ts'

const tags = ['channel']
const config = { access: 'admin' } as const
/** The same arbitrary date for every model, because clients only need a number. */
const CREATED = 1_626_777_600
const PERMISSION = {
  id: 'modelperm-tollgate',
  object: 'model_permission',
  created: CREATED,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
}
const BUILT_IN = BUILT_IN_MODELS.map(({ id, owner }) => ({
  id,
  object: 'model',
  created: CREATED,
  owned_by: owner,
  root: id,
  parent: null,
  permission: [PERMISSION],
}))
const Names = Type.Array(Type.String())
const Model = Type.Object({
  id: Type.String(),
  object: Type.String(),
  created: Type.Integer(),
  owned_by: Type.String(),
  root: Type.String(),
  parent: Type.Null(),
  permission: Type.Array(Type.Record(Type.String(), Type.Unknown())),
})

/** Routes of channel types and model names: the built-in models, and the models that an upstream lists. */
export const channelModelRoutes: FastifyPluginAsyncTypebox<ChannelParts> = async (
  app,
  { toolkit, config: settings, pendingCalls },
) => {
  const admin = describeRoutes('channel', 'admin')

  const builtIn = admin('All built-in model names. A name is repeated for each kind of channel that has it', {
    reply: Type.Object({
      success: Type.Boolean(),
      message: Type.Optional(Type.String()),
      data: Type.Optional(Type.Array(Model)),
    }),
  })
  app.get('/api/channel/models', builtIn, async () => ({ success: true, data: BUILT_IN }))

  const kinds = admin('Every kind of upstream: its channel fields, and the models of a new channel', {
    reply: Envelope(Type.Array(ChannelKind)),
  })
  app.get('/api/channel/types', kinds, async (request) => ok(listKinds(apiLanguageOf(request))))

  const stored = admin("The models of a channel's upstream", {
    params: IdParams,
    reply: Envelope(Names),
    config: { acts: true },
  })
  app.get('/api/channel/fetch_models/:id', stored, async ({ actor, params }) =>
    ok(await pendingCalls.track(modelsOfChannel(toolkit, actor, params.id, guardFor(actor, settings)))),
  )

  const byAddress = {
    tags,
    summary: "The models of an upstream by its address; makes the gateway call an address of the caller's choice",
    body: Type.Object({
      base_url: Type.Optional(Type.String({ maxLength: 2048 })),
      type: Type.Integer(),
      key: Type.Optional(ChannelKeyText),
    }),
    response: {
      200: Type.Object({
        success: Type.Boolean(),
        message: Type.Optional(Type.String()),
        data: Type.Optional(Names),
      }),
      400: { description: 'The body is not a JSON object', ...Done },
    },
  }
  app.post(
    '/api/channel/fetch_models',
    { config, schema: byAddress, errorHandler: answerUndecodable },
    async ({ actor, body: { base_url = '', type, key = '' } }) => ({
      success: true,
      data: await pendingCalls.track(modelsAt({ base_url, type, key }, guardFor(actor, settings))),
    }),
  )
}

/** For an unreadable body, sends the status and the text that only this route documents. */
function answerUndecodable(error: FastifyError | GatewayError, request: FastifyRequest, reply: FastifyReply) {
  if (reportedError(error)?.code !== 'BODY_MALFORMED') return answerError(error, request, reply)
  return reply.code(400).send({ success: false, message: 'Invalid request' })
}
