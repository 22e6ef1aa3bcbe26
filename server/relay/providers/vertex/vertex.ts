import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, countOf, type Json, numberOf, objectsOf } from '../../json.ts'
import { readEmbeddingTexts, toOpenAiEmbeddings } from '../embedding-vectors.ts'
import { withoutBuckets } from '../gemini/buckets.ts'
import { contentBody } from '../gemini/content-body.ts'
import { contentReader } from '../gemini/content-reader.ts'
import { googleFailure } from '../gemini/errors.ts'
import { requireImagen, translatingReader, withReasoning } from '../gemini/gemini.ts'
import { imagesReply, imagesRequest } from '../gemini/images.ts'
import { splitThinkingSuffix } from '../gemini/models.ts'
import { nativeContent } from '../gemini/native-body.ts'
import { GEMINI_SETTINGS, type GeminiSettings } from '../gemini/settings.ts'
import { conversationRequest } from '../openai/converse.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { requestWithAccess, resolveAccess, type VertexAccess } from './access.ts'
import { openModelsAddress, publishedAddress, vertexVersionOf } from './address.ts'
import { claudeBody, claudeReader, vertexClaude } from './claude.ts'

/**
 * Vertex AI, which serves Google's models, Claude and open models for one account.
 * https://cloud.google.com/vertex-ai/generative-ai/docs
 */
export const vertex: Provider = {
  failure: googleFailure,
  async plan(original, channel, context) {
    const ask = originOf(original.model) === 'claude' ? original : withoutBuckets(original, channel)
    const planner = planFor(ask)
    const access = await resolveAccess(channel, ask, context)
    const plan = await planner({ ask, channel, context, settings: context.gemini ?? GEMINI_SETTINGS, access })
    return access.credential ? { ...plan, credential: access.credential } : plan
  },
  async countTokens(ask, channel, context) {
    const access = await resolveAccess(channel, ask, context)
    const count = originOf(ask.model) === 'claude' ? countClaude : countGemini
    const request = await count({ ask, channel, context, settings: context.gemini ?? GEMINI_SETTINGS, access })
    if (!request) return undefined
    const { status, body } = await context.call(requestWithAccess(access, { ...ask, stream: false }, request))
    const reply = recordOf(parseObject(body.toString('utf8')))
    return status === 200 ? numberOf(reply.totalTokens ?? reply.input_tokens) : undefined
  },
}

interface PlanParts {
  readonly ask: ProviderRequest
  readonly channel: LiveChannel
  readonly context: ProviderContext
  readonly settings: GeminiSettings
  readonly access: VertexAccess
}
type Planner = (parts: PlanParts) => Plan | Promise<Plan>

type Origin = 'claude' | 'google' | 'open'

function originOf(model: string): Origin {
  if (model.startsWith('claude')) return 'claude'
  if (/gemini|imagen|embedding/.test(model)) return 'google'
  return /\/|llama/.test(model) ? 'open' : 'google'
}

const CHAT_PLANNERS: Record<Origin, Planner> = { claude: planClaude, google: planGemini, open: planOpenModel }

function planFor({ operation, model }: ProviderRequest): Planner {
  if (operation === 'chat') return CHAT_PLANNERS[originOf(model)]
  if (operation === 'embeddings') return planEmbeddings
  if (operation === 'images') return planImages
  return unsupported(`Vertex AI has no ${operation}`)
}

/** API version that decides about JSON Schema. On Vertex AI, a model's schema support is the same in all versions. */
const CONTENT_VERSION = 'v1beta1'

async function planGemini({ ask, context, settings, access }: PlanParts): Promise<Plan> {
  const { model, reasoning } = splitThinkingSuffix(ask.model)
  const method = ask.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const url = access.google({ model, method, version: vertexVersionOf(model) })
  if (ask.dialect === 'gemini') {
    const body = nativeContent(withRoles(ask), { model, reasoning })
    const request = requestWithAccess(access, ask, { url, body })
    return { request, native: true, renamesModel: model !== ask.requestedModel, reader: contentReader() }
  }
  const conversation = withReasoning(ask.conversation(), reasoning)
  const options = { model, version: CONTENT_VERSION, isVertex: true, context, settings }
  const body = JSON.stringify(await contentBody(conversation, options))
  return { request: requestWithAccess(access, ask, { url, body }), reader: translatingReader(conversation, context) }
}

async function planClaude({ ask, context, access }: PlanParts): Promise<Plan> {
  const model = vertexClaude(ask.model)
  const method = ask.stream ? 'streamRawPredict' : 'rawPredict'
  const url = publishedAddress(access.location(), { publisher: 'anthropic', model, method })
  const body = JSON.stringify(await claudeBody(ask, context))
  const native = ask.dialect === 'anthropic-messages'
  return {
    request: requestWithAccess(access, ask, { url, body }),
    native,
    ...(native && { isRequestAdapted: true, renamesModel: true }),
    reader: claudeReader(ask, context),
  }
}

/** Plans a request to an open model. Always uses chat completions, because the channel's dialects do not apply. */
async function planOpenModel({ ask, channel, context, access }: PlanParts): Promise<Plan> {
  const chatChannel: LiveChannel = { ...channel, settings: { ...channel.settings, dialects: ['openai-chat'] } }
  const { body, native, reader } = await conversationRequest(ask, chatChannel, context)
  const request = requestWithAccess(access, ask, { url: openModelsAddress(access.location()), body })
  return { request, native, ...(native && { renamesModel: ask.model !== ask.requestedModel }), reader }
}

function planEmbeddings({ ask, context, access }: PlanParts): Plan {
  const { model } = ask
  const url = access.google({ model, method: 'predict', version: 'v1' })
  const [first, ...others] = embeddingsRequests(ask.body, model)
  const requestFor = (body: Json) => requestWithAccess(access, ask, { url, body: JSON.stringify(body) })
  return {
    request: requestFor(first),
    ...(others.length > 0 && {
      complete: async (reply) => {
        const predictions = [reply.predictions].flat()
        // Send the requests one after another, because Vertex AI limits requests per account.
        for (const body of others) {
          const { status, body: replyBody } = await context.call(requestFor(body))
          if (status !== 200) throw new Error(`Vertex AI answered ${status} to one of several texts`)
          predictions.push(...[recordOf(parseObject(replyBody.toString('utf8'))).predictions].flat())
        }
        return { predictions }
      },
    }),
    convert: (reply) => vertexEmbeddingsReply(reply, { model: ask.requestedModel, body: ask.body }),
  }
}

function planImages({ ask, context, access }: PlanParts): Plan {
  const { model } = ask
  requireImagen(model)
  const url = access.google({ model, method: 'predict', version: 'v1' })
  const body = JSON.stringify(imagesRequest(ask.body, model))
  return {
    request: requestWithAccess(access, ask, { url, body }),
    convert: (reply) => imagesReply(reply, Math.floor(context.now() / 1000)),
  }
}

type CountRequest = Parameters<typeof requestWithAccess>[2]

const COUNTED_BY_CLAUDE = ['messages', 'system', 'tools', 'tool_choice', 'thinking']

/** Returns the request that counts Claude's tokens. The URL is the same for all models, so the body names the model. */
async function countClaude({ ask, context, access }: PlanParts): Promise<CountRequest> {
  const messages = await claudeBody({ ...ask, stream: false }, context)
  const countedFields = Object.entries(messages).filter(([name]) => COUNTED_BY_CLAUDE.includes(name))
  return {
    url: publishedAddress(access.location(), { publisher: 'anthropic', model: 'count-tokens', method: 'rawPredict' }),
    body: JSON.stringify({ model: vertexClaude(ask.model), ...Object.fromEntries(countedFields) }),
  }
}

async function countGemini({ ask, channel, context, settings, access }: PlanParts): Promise<CountRequest | undefined> {
  if (originOf(ask.model) !== 'google') return undefined
  withoutBuckets(ask, channel)
  const { model } = splitThinkingSuffix(ask.model)
  const options = { model, version: CONTENT_VERSION, isVertex: true, context, settings }
  const content = ask.dialect === 'gemini' ? requestToCount(ask) : await contentBody(ask.conversation(), options)
  const { contents, systemInstruction, tools } = content
  return {
    url: access.google({ model, method: 'countTokens', version: vertexVersionOf(model) }),
    body: JSON.stringify({ contents, systemInstruction, tools }),
  }
}

/** Returns the request whose tokens to count: the client's body, or the request nested in the body. */
function requestToCount({ raw, body }: ProviderRequest): Json {
  const request = isRecord(body.generateContentRequest) ? body.generateContentRequest : body
  const { system_instruction, ...rest } = withRoles({ raw, body: request }).body
  return { systemInstruction: system_instruction, ...rest }
}

/** Adds the role `user` to contents without a role, which the Gemini API accepts, but Vertex AI rejects. */
function withRoles({ raw, body }: Pick<ProviderRequest, 'raw' | 'body'>): { raw: Buffer; body: Readonly<Json> } {
  const contents = Array.isArray(body.contents) ? body.contents : [body.contents]
  if (contents.every((content) => !isRecord(content) || content.role !== undefined)) return { raw, body }
  const withDefaults = {
    ...body,
    contents: contents.map((content) => (isRecord(content) ? { role: 'user', ...content } : content)),
  }
  return { raw: Buffer.from(JSON.stringify(withDefaults)), body: withDefaults }
}

/**
 * Returns the bodies of the `predict` requests for an embeddings request: one per text for Gemini's embedding models,
 * which accept only one text, otherwise one for all texts.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
function embeddingsRequests(body: Body, model: string): [first: Json, ...others: Json[]] {
  const instances = readEmbeddingTexts(body).map((content) =>
    defined({ content, task_type: body.task_type, title: body.title }),
  )
  const parameters = defined({ outputDimensionality: body.dimensions, autoTruncate: body.auto_truncate })
  const request = (texts: Json[]): Json => ({ instances: texts, ...(Object.keys(parameters).length && { parameters }) })
  if (!/^gemini-embedding/.test(model)) return [request(instances)]
  const [first = request([]), ...others] = instances.map((instance) => request([instance]))
  return [first, ...others]
}

/** Converts vectors and Vertex AI's token counts to OpenAI's format. */
function vertexEmbeddingsReply(reply: Json, { model, body }: { model: string; body: Body }): Json {
  const predictions = objectsOf(reply.predictions).map(({ embeddings }) => recordOf(embeddings))
  const promptTokens = predictions.reduce((sum, { statistics }) => sum + countOf(recordOf(statistics).token_count), 0)
  return toOpenAiEmbeddings(
    predictions.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: body.encoding_format, promptTokens },
  )
}
