import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { isObject, type Json, numberOf, objectOf, parseObject } from '../../json.ts'
import type { Ask, Means, Plan, Provider, UpstreamRequest } from '../provider.ts'
import { apiVersion, modelAddress } from './address.ts'
import { withoutBuckets } from './buckets.ts'
import { contentBody } from './content-body.ts'
import { contentReader } from './content-reader.ts'
import { embeddingsReply, embeddingsRequest } from './embeddings.ts'
import { googleFailure } from './errors.ts'
import { imagesReply, imagesRequest } from './images.ts'
import { splitThinkingSuffix } from './models.ts'
import { nativeContent } from './native-body.ts'
import { GEMINI_SETTINGS, type GeminiSettings } from './settings.ts'

/** Google's Gemini API: https://ai.google.dev/api */
export const gemini: Provider = {
  failure: googleFailure,
  plan(asked, channel, means) {
    const ask = withoutBuckets(asked, channel)
    const settings = means.gemini ?? GEMINI_SETTINGS
    if (ask.operation === 'chat') return planChat(ask, channel, { means, settings })
    if (ask.operation === 'embeddings') return planEmbeddings(ask, channel, settings)
    if (ask.operation === 'images') return planImages(ask, channel, { means, settings })
    throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `Gemini has no ${ask.operation}` })
  },
  async countTokens(asked, channel, means) {
    const ask = withoutBuckets(asked, channel)
    const settings = means.gemini ?? GEMINI_SETTINGS
    const { model } = splitThinkingSuffix(ask.model)
    const version = apiVersion(model, channel, settings)
    const body =
      ask.dialect === 'gemini'
        ? nativeCountBody(ask, model)
        : JSON.stringify(countBody(await contentBody(ask.conversation(), { model, version, means, settings }), model))
    const request = requestTo(ask, channel, { version, model, method: 'countTokens', body })
    const { status, body: answer } = await means.call(request)
    return status === 200 ? numberOf(objectOf(parseObject(answer.toString('utf8'))).totalTokens) : undefined
  },
}

interface Parts {
  readonly means: Means
  readonly settings: GeminiSettings
}

async function planChat(ask: Ask, channel: LiveChannel, { means, settings }: Parts): Promise<Plan> {
  const { model, reasoning } = splitThinkingSuffix(ask.model)
  const version = apiVersion(model, channel, settings)
  // Without `alt=sse` a stream is one JSON array, whatever our client asked for.
  const method = ask.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const to = { version, model, method }
  if (ask.dialect === 'gemini') {
    const body = nativeContent(ask, { model, reasoning })
    const request = requestTo(ask, channel, { ...to, body })
    return { request, native: true, renamesModel: model !== ask.requestedModel, reader: contentReader() }
  }
  const conversation = withReasoning(ask.conversation(), reasoning)
  const body = JSON.stringify(await contentBody(conversation, { model, version, means, settings }))
  return { request: requestTo(ask, channel, { ...to, body }), reader: translatingReader(conversation, means) }
}

/** What the model's name says of thinking goes before what the request says. */
export function withReasoning(conversation: Conversation, reasoning: Conversation['reasoning']): Conversation {
  return reasoning ? { ...conversation, reasoning } : conversation
}

/** A reader for clients of other formats: they may not send back what calls were signed with. */
export function translatingReader({ tools }: Conversation, { signatures }: Pick<Means, 'signatures'>) {
  const custom = new Set(tools.filter((tool) => tool.custom).map(({ name }) => name))
  return contentReader({ signatures, custom })
}

function planEmbeddings(ask: Ask, channel: LiveChannel, settings: GeminiSettings): Plan {
  const { model } = ask
  const { method, body } = embeddingsRequest(ask.body, model)
  const version = apiVersion(model, channel, settings)
  return {
    request: requestTo(ask, channel, { version, model, method, body: JSON.stringify(body) }),
    convert: (reply) => embeddingsReply(reply, { model: ask.requestedModel, asked: ask.body }),
  }
}

function planImages(ask: Ask, channel: LiveChannel, { means, settings }: Parts): Plan {
  const { model } = ask
  refuseOtherPainters(model)
  const version = apiVersion(model, channel, settings)
  const body = JSON.stringify(imagesRequest(ask.body, model))
  return {
    request: requestTo(ask, channel, { version, model, method: 'predict', body }),
    convert: (reply) => imagesReply(reply, Math.floor(means.now() / 1000)),
  }
}

/** Gemini's own models draw in conversations, not here. Throws OPERATION_UNSUPPORTED. */
export function refuseOtherPainters(model: string): void {
  if (/imagen|imagegeneration/.test(model)) return
  const reason = `${model} makes no images here; ask it in a chat with modalities ["text", "image"]`
  throw new GatewayError('OPERATION_UNSUPPORTED', { reason })
}

function requestTo(
  ask: Pick<Ask, 'headers' | 'stream'>,
  { baseUrl, key }: LiveChannel,
  { body, ...to }: { version: string; model: string; method: string; body: Buffer | string },
): UpstreamRequest {
  return {
    url: modelAddress(baseUrl, to),
    headers: {
      ...ask.headers,
      'content-type': 'application/json',
      accept: ask.stream && !to.method.startsWith('count') ? 'text/event-stream' : 'application/json',
      'x-goog-api-key': key.trim(),
    },
    body,
  }
}

/** The client's own bytes, unless a request in them names another model than the address. */
function nativeCountBody({ raw, body }: Ask, model: string): Buffer | string {
  const inner = body.generateContentRequest
  if (!isObject(inner) || inner.model === `models/${model}`) return raw
  return JSON.stringify({ ...body, ...countBody(inner, model) })
}

/** `countTokens` takes a whole request only with the model's name inside. */
function countBody(request: Json, model: string): Json {
  return { generateContentRequest: { ...request, model: `models/${model}` } }
}
