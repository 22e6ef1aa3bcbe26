import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { queryOf } from '../admission/admission.ts'
import { apiKeyOf, authenticate } from '../admission/authenticate.ts'
import type { RelayEntry } from '../admission/entry.ts'
import { takeFromFastify } from '../admission/relay-request.ts'
import { relayRoute, relayRouteSchema } from '../described.ts'
import type { Relays } from '../relays.ts'
import { type ContinueParts, continueStored } from '../responses-store/continue.ts'

const OPENAI = { dialect: 'openai-chat' } as const
/** The paths of relays in OpenAI's API, with their entries and their summaries in the OpenAPI document. */
export const OPENAI_ROUTES: readonly (readonly [path: string, entry: RelayEntry, summary: string])[] = [
  ['/v1/chat/completions', { operation: 'chat', ...OPENAI }, "Chat completions, in OpenAI's format"],
  ['/v1/completions', { operation: 'chat', dialect: 'openai-completions' }, "Legacy completions, in OpenAI's format"],
  ['/v1/responses', { operation: 'chat', dialect: 'openai-responses' }, "Responses, in OpenAI's format"],
  ['/v1/embeddings', { operation: 'embeddings', ...OPENAI }, "Embeddings, in OpenAI's format"],
  ['/v1/images/generations', { operation: 'images', ...OPENAI }, 'Pictures from a text'],
  ['/v1/images/edits', { operation: 'image-edits', ...OPENAI }, 'Edits a picture as described in a text'],
  ['/v1/images/variations', { operation: 'image-variations', ...OPENAI }, 'Variations of a picture'],
  ['/v1/audio/speech', { operation: 'speech', ...OPENAI }, 'Speech from a text'],
  ['/v1/audio/transcriptions', { operation: 'transcriptions', ...OPENAI }, 'The text of a recording'],
  ['/v1/audio/translations', { operation: 'translations', ...OPENAI }, 'The text of a recording, in English'],
  ['/v1/moderations', { operation: 'moderations', ...OPENAI }, 'Whether a text is harmful'],
  ['/v1/rerank', { operation: 'rerank', ...OPENAI }, 'Documents ranked by relevance to a query'],
]

/**
 * Paths of OpenAI's API that are not supported. They return 501 directly after the check of the key, because most of
 * these requests name no model.
 */
export const UNSUPPORTED: readonly (readonly [method: 'GET' | 'POST' | 'DELETE', path: string])[] = [
  ['POST', '/v1/edits'],
  ['GET', '/v1/fine-tunes'],
  ['POST', '/v1/fine-tunes'],
  ['GET', '/v1/fine-tunes/:id'],
  ['POST', '/v1/fine-tunes/:id/cancel'],
  ['GET', '/v1/fine-tunes/:id/events'],
  ['DELETE', '/v1/models/:model'],
]

export const openAiPaths: FastifyPluginAsync<{
  relays: Relays
  toolkit: LocalToolkit
  storing: ContinueParts
}> = async (app, { relays, toolkit, storing }) => {
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    const backgroundReply = await continueStored(request, reply, storing)
    if (backgroundReply) return reply.send(backgroundReply)
  }
  for (const [path, entry, summary] of OPENAI_ROUTES) {
    const { dialect } = entry
    const options = { config: { dialect }, ...(dialect === 'openai-responses' && { preHandler }) }
    app.post(path, { ...options, schema: relayRouteSchema(summary) }, (request, reply) =>
      relays.handle(entry, takeFromFastify(request, reply), reply.raw),
    )
    const deployment = path.replace('/v1/', '/openai/deployments/:model/')
    app.post<{ Params: { model: string } }>(
      deployment,
      { ...options, schema: relayRouteSchema(`${summary}, at Azure's address`) },
      (request, reply) =>
        relays.handle({ ...entry, model: request.params.model }, takeFromFastify(request, reply), reply.raw),
    )
  }
  app.post<{ Params: { model: string } }>(
    // If the body names no model, the model in this former path of embeddings applies.
    '/v1/engines/:model/embeddings',
    relayRoute('Embeddings, at their old address'),
    (request, reply) =>
      relays.handle(
        { operation: 'embeddings', ...OPENAI, modelIfNone: request.params.model },
        takeFromFastify(request, reply),
        reply.raw,
      ),
  )
  for (const [method, url] of UNSUPPORTED) {
    app.route({
      method,
      url,
      schema: relayRouteSchema('Not supported: 501'),
      handler: async (request) => {
        await checkKey(toolkit, request)
        throw new GatewayError('NOT_IMPLEMENTED')
      },
    })
  }
}

/** Checks the key of a request. Throws the errors of `authenticate`. */
async function checkKey({ callers }: LocalToolkit, request: FastifyRequest): Promise<void> {
  const key = apiKeyOf(request.headers, queryOf(request))
  await authenticate(callers, { key, address: request.ip, now: Date.now() / 1000 })
}
