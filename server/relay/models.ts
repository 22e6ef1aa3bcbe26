import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import { CHANNEL_TYPES } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { groupOf, queryOf } from './admission/admission.ts'
import { apiKeyOf, authenticate, type Caller } from './admission/authenticate.ts'
import { DISABLED_RETRY_S } from './admission/channels-for.ts'
import { relayRoute } from './described.ts'
import { anthropicModel, anthropicModelList } from './dialects/anthropic-messages/models.ts'
import { geminiModel, geminiModelList } from './dialects/gemini/requests.ts'
import { dialectOfPath } from './paths/path-dialect.ts'

/** The creation date of every model, in unix seconds. Clients only require a number. */
const CREATED = 1_626_777_600

/** The format of a model list. It depends on the path, and on headers that only one vendor's library sends. */
type ListFormat = 'openai' | 'anthropic' | 'gemini'

/**
 * Routes that list the models of a key, in the client's format. https://platform.openai.com/docs/api-reference/models
 */
export const modelRoutes: FastifyPluginAsync<{ toolkit: LocalToolkit; directory: ChannelDirectory }> = async (
  app,
  { toolkit, directory },
) => {
  async function callerOf(request: FastifyRequest): Promise<Caller> {
    const key = apiKeyOf(request.headers, queryOf(request))
    return authenticate(toolkit.callers, { key, address: request.ip, now: Date.now() / 1000 })
  }

  function modelsOf(caller: Caller): readonly string[] {
    if (caller.token.models) return [...caller.token.models].sort()
    return directory.models(groupOf(caller, toolkit.options))
  }

  const listModels = async (request: FastifyRequest) => {
    const ids = modelsOf(await callerOf(request))
    const format = formatFor(request)
    if (format === 'gemini') return geminiModelList(ids, { query: queryOf(request) })
    if (format === 'anthropic') return anthropicModelList(ids, { created: CREATED })
    return { object: 'list', success: true, data: ids.map(toModel) }
  }

  const getModel = async (request: FastifyRequest<{ Params: { '*': string } }>) => {
    const model = request.params['*']
    const caller = await callerOf(request)
    if (!modelsOf(caller).includes(model)) {
      if (caller.token.models || !directory.isDisabledFor(groupOf(caller, toolkit.options), model))
        throw new GatewayError('MODEL_NOT_FOUND', { model })
      throw new GatewayError('CHANNELS_DISABLED', { model, seconds: DISABLED_RETRY_S })
    }
    const format = formatFor(request)
    if (format === 'gemini') return geminiModel(model)
    return format === 'anthropic' ? anthropicModel(model, { created: CREATED }) : toModel(model)
  }

  for (const version of ['/v1', '/v1beta']) {
    const dialect = dialectOfPath(version)
    const config = dialect ? { dialect } : {}
    app.get(`${version}/models`, relayRoute('The models available to a key', config), listModels)
    // A wildcard, because model names such as vendor/model contain slashes.
    app.get<{ Params: { '*': string } }>(`${version}/models/*`, relayRoute('One model', config), getModel)
  }
  app.get('/v1beta/openai/models', relayRoute("The models available to a key, in OpenAI's format"), listModels)
}

function formatFor({ url, originalUrl, headers }: FastifyRequest): ListFormat {
  if (url.startsWith('/v1beta/openai/')) return 'openai'
  if (originalUrl.startsWith('/anthropic/')) return 'anthropic'
  if (url.startsWith('/v1beta/') || headers['x-goog-api-key'] !== undefined) return 'gemini'
  return headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined ? 'anthropic' : 'openai'
}

const OWNERS = new Map<string, string>(
  CHANNEL_TYPES.toReversed().flatMap(({ models, slug }) => models.map((model): [string, string] => [model, slug])),
)

function toModel(id: string) {
  return { id, object: 'model', created: CREATED, owned_by: OWNERS.get(id) ?? 'custom', root: id, parent: null }
}
