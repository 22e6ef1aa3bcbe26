import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import type { RelayEntry } from '../admission/entry.ts'
import { takeFromFastify } from '../admission/relay-request.ts'
import type { TokenCounter } from '../count-tokens.ts'
import { relayRouteSchema } from '../described.ts'
import { batchEmbedContents, embedContent } from '../dialects/gemini/embeddings.ts'
import { predictImages } from '../dialects/gemini/images.ts'
import { promptOfContent } from '../dialects/gemini/prompt.ts'
import { countedRequest, countReply, readPath } from '../dialects/gemini/requests.ts'
import type { Relays } from '../relays.ts'

const GEMINI = { dialect: 'gemini' } as const
/** Paths of models in all versions of the API. */
const PATHS = ['/v1beta/models/*', '/v1beta/tunedModels/*', '/v1alpha/models/*', '/v1/models/*']

/** Functions that return a model's relay entry, by method. `countTokens` is no relay, and so is missing. */
const METHODS: Record<string, (model: string) => RelayEntry> = {
  generateContent: (model) => ({ operation: 'chat', ...GEMINI, model, stream: false }),
  streamGenerateContent: (model) => ({ operation: 'chat', ...GEMINI, model, stream: true }),
  embedContent: (model) => ({ operation: 'embeddings', ...GEMINI, model, translate: embedContent(model) }),
  batchEmbedContents: (model) => ({ operation: 'embeddings', ...GEMINI, model, translate: batchEmbedContents(model) }),
  predict: (model) => ({ operation: 'images', ...GEMINI, model, translate: predictImages(model) }),
}

const PREFIXES = PATHS.map((path) => path.slice(0, -1))

export const isGeminiPath = (url: string): boolean => PREFIXES.some((prefix) => url.startsWith(prefix))

export function geminiEntry(url: string): RelayEntry | undefined {
  const { model, method } = readPath(url) ?? {}
  return model && method && Object.hasOwn(METHODS, method) ? METHODS[method]?.(model) : undefined
}

export const geminiPaths: FastifyPluginAsync<{ relays: Relays; countTokens: TokenCounter }> = async (
  app,
  { relays, countTokens },
) => {
  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { model, method } = readPath(request.url) ?? {}
    if (model && method === 'countTokens') {
      const prompt = (body: Readonly<Record<string, unknown>>) => promptOfContent(countedRequest(body))
      return countReply(await countTokens(request, reply.raw, { ...GEMINI, model, prompt }))
    }
    const entry = geminiEntry(request.url)
    if (!entry) throw new GatewayError('PATH_UNKNOWN', { path: request.url.split('?')[0] ?? '' })
    return relays.handle(entry, takeFromFastify(request, reply), reply.raw)
  }
  const schema = relayRouteSchema(
    "generateContent, streamGenerateContent, countTokens and more, in Gemini's format",
    GEMINI,
  )
  for (const path of PATHS) app.post(path, { config: GEMINI, schema }, handle)
}
