import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, type Json, numberOf, objectsOf } from '../../json.ts'
import { readEmbeddingTexts, toOpenAiEmbeddings } from '../embedding-vectors.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest, UpstreamRequest } from '../provider.ts'
import { apiVersion, modelAddress } from './address.ts'
import { withoutBuckets } from './buckets.ts'
import { contentBody } from './content-body.ts'
import { contentReader } from './content-reader.ts'
import { googleFailure } from './errors.ts'
import { imagesReply, imagesRequest } from './images.ts'
import { splitThinkingSuffix } from './models.ts'
import { nativeContent } from './native-body.ts'
import { GEMINI_SETTINGS, type GeminiSettings } from './settings.ts'

/** Google's Gemini API: https://ai.google.dev/api */
export const gemini: Provider = {
  failure: googleFailure,
  plan(original, channel, context) {
    const ask = withoutBuckets(original, channel)
    const settings = context.gemini ?? GEMINI_SETTINGS
    if (ask.operation === 'chat') return planChat(ask, channel, { context, settings })
    if (ask.operation === 'embeddings') return planEmbeddings(ask, channel, settings)
    if (ask.operation === 'images') return planImages(ask, channel, { context, settings })
    return unsupported(`Gemini has no ${ask.operation}`)
  },
  async countTokens(original, channel, context) {
    const ask = withoutBuckets(original, channel)
    const settings = context.gemini ?? GEMINI_SETTINGS
    const { model } = splitThinkingSuffix(ask.model)
    const version = apiVersion(model, channel, settings)
    const body =
      ask.dialect === 'gemini'
        ? nativeCountBody(ask, model)
        : JSON.stringify(countBody(await contentBody(ask.conversation(), { model, version, context, settings }), model))
    const request = requestTo(ask, channel, { version, model, method: 'countTokens', body })
    const { status, body: reply } = await context.call(request)
    return status === 200 ? numberOf(recordOf(parseObject(reply.toString('utf8'))).totalTokens) : undefined
  },
}

interface PlanContext {
  readonly context: ProviderContext
  readonly settings: GeminiSettings
}

async function planChat(ask: ProviderRequest, channel: LiveChannel, { context, settings }: PlanContext): Promise<Plan> {
  const { model, reasoning } = splitThinkingSuffix(ask.model)
  const version = apiVersion(model, channel, settings)
  // Without `alt=sse`, Gemini would send a stream as one JSON array.
  const method = ask.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const target = { version, model, method }
  if (ask.dialect === 'gemini') {
    const body = nativeContent(ask, { model, reasoning })
    const request = requestTo(ask, channel, { ...target, body })
    return { request, native: true, renamesModel: model !== ask.requestedModel, reader: contentReader() }
  }
  const conversation = withReasoning(ask.conversation(), reasoning)
  const body = JSON.stringify(await contentBody(conversation, { model, version, context, settings }))
  return { request: requestTo(ask, channel, { ...target, body }), reader: translatingReader(conversation, context) }
}

/** Replaces the request's reasoning by `reasoning`, which the suffix of the model name requests, if any. */
export function withReasoning(conversation: Conversation, reasoning: Conversation['reasoning']): Conversation {
  return reasoning ? { ...conversation, reasoning } : conversation
}

/** Returns a reader that caches signatures, because clients of other formats may not send them back. */
export function translatingReader(conversation: Conversation, { signatures }: Pick<ProviderContext, 'signatures'>) {
  return contentReader({ signatures, customToolNames: customToolsOf(conversation) })
}

function planEmbeddings(ask: ProviderRequest, channel: LiveChannel, settings: GeminiSettings): Plan {
  const { model } = ask
  const { method, body } = embeddingsRequest(ask.body, model)
  const version = apiVersion(model, channel, settings)
  return {
    request: requestTo(ask, channel, { version, model, method, body: JSON.stringify(body) }),
    convert: (reply) => geminiEmbeddingsReply(reply, { model: ask.requestedModel, body: ask.body }),
  }
}

function planImages(ask: ProviderRequest, channel: LiveChannel, { context, settings }: PlanContext): Plan {
  const { model } = ask
  requireImagen(model)
  const version = apiVersion(model, channel, settings)
  const body = JSON.stringify(imagesRequest(ask.body, model))
  return {
    request: requestTo(ask, channel, { version, model, method: 'predict', body }),
    convert: (reply) => imagesReply(reply, Math.floor(context.now() / 1000)),
  }
}

/** Throws OPERATION_UNSUPPORTED for models other than Imagen. Gemini's own models generate images only in chats. */
export function requireImagen(model: string): void {
  if (/imagen|imagegeneration/.test(model)) return
  unsupported(`${model} makes no images here; ask it in a chat with modalities ["text", "image"]`)
}

function requestTo(
  ask: Pick<ProviderRequest, 'headers' | 'stream'>,
  { baseUrl, key }: LiveChannel,
  { body, ...target }: { version: string; model: string; method: string; body: Buffer | string },
): UpstreamRequest {
  return {
    url: modelAddress(baseUrl, target),
    headers: {
      ...ask.headers,
      'content-type': 'application/json',
      accept: ask.stream && !target.method.startsWith('count') ? 'text/event-stream' : 'application/json',
      'x-goog-api-key': key.trim(),
    },
    body,
  }
}

/** Returns the client's bytes, or a changed body if a nested request names another model than the URL. */
function nativeCountBody({ raw, body }: ProviderRequest, model: string): Buffer | string {
  const nestedRequest = body.generateContentRequest
  if (!isRecord(nestedRequest) || nestedRequest.model === `models/${model}`) return raw
  return JSON.stringify({ ...body, ...countBody(nestedRequest, model) })
}

/** Returns the body of `countTokens` for a whole request. The request must contain the model's name. */
function countBody(request: Json, model: string): Json {
  return { generateContentRequest: { ...request, model: `models/${model}` } }
}

/** Returns the method and body for one text or several texts. https://ai.google.dev/api/embeddings */
function embeddingsRequest(body: Body, model: string): { method: string; body: Json } {
  const requests = readEmbeddingTexts(body).map((text) =>
    defined({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      taskType: body.task_type,
      title: body.title,
      outputDimensionality: body.dimensions,
    }),
  )
  const [only] = requests
  return only && requests.length === 1
    ? { method: 'embedContent', body: only }
    : { method: 'batchEmbedContents', body: { requests } }
}

/** Converts the reply of either method to OpenAI's format. Gemini reports no usage. */
function geminiEmbeddingsReply(reply: Json, { model, body }: { model: string; body: Body }): Json {
  const embeddings = isRecord(reply.embedding) ? [reply.embedding] : objectsOf(reply.embeddings)
  return toOpenAiEmbeddings(
    embeddings.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: body.encoding_format },
  )
}
