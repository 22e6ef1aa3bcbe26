import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import { CHANNEL_TYPES } from '../../core/channels/types.ts'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { groupOf, queryOf } from './admission.ts'
import { authenticate, keyOf } from './authenticate.ts'
import { described } from './described.ts'

/** A date long ago, the same for every model: clients only want a number here. */
const CREATED = 1_626_777_600

/** The models a key may use: https://platform.openai.com/docs/api-reference/models */
export const modelRoutes: FastifyPluginAsync<{ toolkit: LocalToolkit; directory: ChannelDirectory }> = async (
  app,
  { toolkit, directory },
) => {
  async function modelsOf(request: FastifyRequest): Promise<string[]> {
    const key = keyOf(request.headers, queryOf(request))
    const caller = await authenticate(toolkit.callers, { key, address: request.ip, now: Date.now() / 1000 })
    if (caller.token.models) return [...caller.token.models].sort()
    return directory.models(groupOf(caller, toolkit.options))
  }

  app.get('/v1/models', { schema: described('The models a key may use') }, async (request) => {
    const data = (await modelsOf(request)).map(toModel)
    return { object: 'list', success: true, data }
  })

  // Names such as vendor/model have slashes of their own.
  app.get<{ Params: { '*': string } }>('/v1/models/*', { schema: described('One model') }, async (request) => {
    const model = request.params['*']
    if (!(await modelsOf(request)).includes(model)) throw new GatewayError('MODEL_NOT_FOUND', { model })
    return toModel(model)
  })
}

const OWNERS = new Map<string, string>(
  CHANNEL_TYPES.toReversed().flatMap(({ models, slug }) => models.map((model) => [model, slug])),
)

function toModel(id: string) {
  return { id, object: 'model', created: CREATED, owned_by: OWNERS.get(id) ?? 'custom', root: id, parent: null }
}
