import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { asGatewayError } from '../../../core/db/unavailable.ts'
import { parseBody } from '../admission/admission.ts'
import { relayLanguageOf } from '../admission/body-refusal.ts'
import { errorForClient } from '../delivery/error.ts'
import { relayRouteSchema } from '../described.ts'
import { cohereChat, cohereEmbed, cohereError, cohereRerank } from '../facades/cohere.ts'
import { type Facade, serveFacade } from '../facades/facade.ts'
import { mistralError, mistralFill } from '../facades/mistral.ts'
import { ollamaChatFacade, ollamaEmbed, ollamaError, ollamaGenerate, ollamaModel } from '../facades/ollama.ts'
import type { InnerCalls } from '../inner-calls.ts'
import { type Json, objectsOf, wordOf } from '../json.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** The version of Ollama's API that these paths implement. */
const OLLAMA_VERSION = '0.12.0'

type ErrorBody = (status: number, message: string) => Json
interface Route {
  readonly summary: string
  readonly facade: (body: Json) => Facade
  readonly error: ErrorBody
}

const ROUTES: Readonly<Record<string, Route>> = {
  '/v2/chat': { summary: "Conversations in Cohere's format", facade: cohereChat, error: cohereError },
  '/v2/embed': { summary: "Embeddings in Cohere's format", facade: cohereEmbed, error: cohereError },
  '/v2/rerank': { summary: "A ranking of documents in Cohere's format", facade: cohereRerank, error: cohereError },
  '/v1/fim/completions': {
    summary: "Fill-in-the-middle completion in Mistral's format",
    facade: mistralFill,
    error: mistralError,
  },
  '/api/chat': { summary: "Conversations in Ollama's format", facade: ollamaChatFacade, error: ollamaError },
  '/api/generate': { summary: "A reply to one prompt in Ollama's format", facade: ollamaGenerate, error: ollamaError },
  '/api/embed': {
    summary: "Embeddings in Ollama's format",
    facade: (body) => ollamaEmbed(body, { isLegacy: false }),
    error: ollamaError,
  },
  '/api/embeddings': {
    summary: "An embedding in Ollama's legacy format",
    facade: (body) => ollamaEmbed(body, { isLegacy: true }),
    error: ollamaError,
  },
}

/** Returns the function that formats errors for a path in `ROUTES`, or undefined for other paths. */
export function facadeErrorOf(path: string): ErrorBody | undefined {
  return Object.hasOwn(ROUTES, path) ? ROUTES[path]?.error : undefined
}

/** The routes for clients of Cohere, Mistral and Ollama. */
export const otherVendorPaths: FastifyPluginAsync<{ calls: InnerCalls }> = async (app, { calls }) => {
  // The schemas do not describe these error bodies, so they must not serialize them.
  app.addHook('preHandler', async (_request, reply) => {
    reply.type(JSON_TYPE).serializer(JSON.stringify)
  })
  for (const [path, route] of Object.entries(ROUTES)) {
    const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      rejectIn(route.error, error, request, reply)
    app.post(path, { schema: schemaOf(path, route.summary), errorHandler }, (request, reply) => {
      const facade = route.facade(parseBody(request.body as Buffer))
      return serveFacade(request, reply, { facade, calls, error: route.error })
    })
  }
  app.get('/api/version', { schema: HIDDEN }, async () => ({ version: OLLAMA_VERSION }))
  app.get('/api/tags', { schema: HIDDEN }, async (request, reply) => {
    const { status, body } = await calls.begin(request, {}, { method: 'GET', path: '/v1/models' }).reply
    if (status !== 200)
      return reply.code(status).send(ollamaError(status, wordOf((body.error as Json | undefined)?.message)))
    return { models: objectsOf(body.data).map(({ id }) => ollamaModel(wordOf(id))) }
  })
}

/**
 * Hides a route from the OpenAPI document, in which paths below `/api/` are the management API. docs/relay.md describes
 * Ollama's paths.
 */
const HIDDEN = { hide: true }

function schemaOf(path: string, summary: string) {
  return path.startsWith('/api/') ? HIDDEN : relayRouteSchema(summary)
}

function rejectIn(error: ErrorBody, cause: unknown, request: FastifyRequest, reply: FastifyReply) {
  const gatewayError = asGatewayError(cause)
  if (!gatewayError) throw cause
  const { status, message } = errorForClient(gatewayError, {
    requestId: request.id,
    language: relayLanguageOf(request),
  })
  return reply.code(status).type(JSON_TYPE).serializer(JSON.stringify).send(error(status, message))
}
