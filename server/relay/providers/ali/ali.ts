import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, type Json } from '../../json.ts'
import { openai } from '../openai/openai.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { documentText, rerankReply } from '../rerank.ts'
import { aliFailure } from './failure.ts'
import { imagePlan } from './images.ts'

/**
 * Alibaba's DashScope, which has OpenAI's format for chat and embeddings, and its own format for other operations.
 * https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope
 */
export const ali: Provider = {
  failure: aliFailure,
  async plan(ask, channel, context): Promise<Plan> {
    const nativeChannel = { ...channel, baseUrl: hostOf(channel.baseUrl) }
    const plan = await planAt(ask, nativeChannel, context)
    if (!channel.other) return plan
    const headers = { ...plan.request.headers, 'x-dashscope-plugin': channel.other }
    return { ...plan, request: { ...plan.request, headers } }
  },
}

function planAt(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Plan | Promise<Plan> {
  switch (ask.operation) {
    case 'chat':
      return openai.plan(adaptStreamOnlyModel(ask), channel, context)
    case 'embeddings':
      return openai.plan(ask, channel, context)
    case 'images':
      return imagePlan(ask, { baseUrl: channel.baseUrl, headers: headersOf(ask, channel) }, context)
    case 'rerank':
      return {
        request: {
          url: channel.baseUrl + RERANK_PATH,
          headers: headersOf(ask, channel),
          body: JSON.stringify(aliRerankBody(ask)),
        },
        convert: (reply) => aliRerankReply(reply, ask),
      }
    default:
      return unsupported(`DashScope channels do not serve ${ask.operation}`)
  }
}

function headersOf(ask: ProviderRequest, { key }: LiveChannel): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...ask.headers,
    authorization: `Bearer ${key.trim()}`,
  }
}

/** Removes the path of OpenAI's format or of DashScope's own format from a base URL, if the operator entered one. */
function hostOf(baseUrl: string): string {
  return baseUrl.replace(/\/(compatible-mode(\/v1)?|api\/v1)?\/?$/, '')
}

const RERANK_PATH = '/api/v1/services/rerank/text-rerank/text-rerank'

/**
 * Returns the body of a rerank request. DashScope need not return the documents, because `rerankReply` adds them from
 * the request. https://help.aliyun.com/zh/model-studio/text-rerank-api
 */
function aliRerankBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
  // A document without a text is an image or a video, which multimodal models read.
  const documents = arrayOf(body.documents).map((document) =>
    isRecord(document) && typeof document.text !== 'string' ? document : documentText(document),
  )
  return {
    model,
    input: { query: body.query, documents },
    parameters: defined({ top_n: body.top_n ?? undefined, return_documents: false }),
  }
}

function aliRerankReply(reply: Json, ask: Pick<ProviderRequest, 'body' | 'requestedModel'>): Json {
  return rerankReply({ id: reply.request_id, results: recordOf(reply.output).results, usage: reply.usage }, ask)
}

/** Matches models that always require a stream. */
const STREAM_ONLY_MODEL = /^(qwq|qvq)|^qwen3-.*-thinking/
/** Matches open models that think by default, and require a stream while they think. */
const OPEN_THINKING_MODEL = /^qwen3-[\d.]+b(-a\d+b)?$/

/**
 * Adapts a request without streaming to models that require a stream. Requests a stream, from which the gateway builds
 * the whole reply. If only thinking requires a stream and the client does not mention thinking, disables thinking
 * instead. https://help.aliyun.com/zh/model-studio/deep-thinking
 */
function adaptStreamOnlyModel(ask: ProviderRequest): ProviderRequest {
  if (ask.stream || ask.dialect === 'openai-completions') return ask
  if (STREAM_ONLY_MODEL.test(ask.model)) return withFields(ask, { stream: true })
  if (!OPEN_THINKING_MODEL.test(ask.model)) return ask
  const thinks = wantsThinking(ask)
  if (thinks === undefined) return withFields(ask, { enable_thinking: false })
  return thinks ? withFields(ask, { stream: true }) : ask
}

/** Whether the client requests thinking. Undefined if the client neither enables nor disables it. */
function wantsThinking(ask: ProviderRequest): boolean | undefined {
  const { extras, reasoning: { effort, budget } = {} } = ask.conversation()
  if (typeof extras.enable_thinking === 'boolean') return extras.enable_thinking
  if (effort === undefined && budget === undefined) return undefined
  return effort !== 'none' && budget !== 0
}

function withFields(ask: ProviderRequest, fields: { stream?: true; enable_thinking?: false }): ProviderRequest {
  const body = { ...ask.body, ...fields }
  const { stream = ask.stream, ...extras } = fields
  return {
    ...ask,
    stream,
    body,
    raw: Buffer.from(JSON.stringify(body)),
    conversation() {
      const conversation = ask.conversation()
      return { ...conversation, extras: { ...conversation.extras, ...extras } }
    },
  }
}
