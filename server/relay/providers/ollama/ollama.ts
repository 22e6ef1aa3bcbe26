import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { defined } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { arrayOf, countOf, type Json, numberOf, wordOf } from '../../json.ts'
import { readEmbeddingTexts, toOpenAiEmbeddings } from '../embedding-vectors.ts'
import { readFailure } from '../failure.ts'
import { joinAddress } from '../openai/address.ts'
import { chatBody } from '../openai/chat-body.ts'
import { conversationRequest } from '../openai/converse.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { withThinkTags } from '../openai/think-tags.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { toOllamaChat } from './chat-body.ts'
import { ollamaReader } from './chat-reader.ts'

/** Client fields that only Ollama's own API supports. */
const NATIVE_FIELDS = ['think', 'options', 'keep_alive']

/**
 * Ollama. Chats use its OpenAI-compatible API, or its own API if they set reasoning or fields of this API. Embeddings
 * use its own API.
 * https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama: Provider = {
  failure: readFailure,
  async plan(ask, channel, context) {
    if (ask.operation === 'embeddings') return planEmbeddings(ask, channel)
    if (needsNativeApi(ask)) return planNativeChat(ask, channel, context)
    refuseFeatures({ client: ask.dialect, choices: choicesOf(ask) }, ['choices'])
    const { path, body, native, reader } = await conversationRequest(ask, channel, context)
    return {
      request: { url: joinAddress(channel.baseUrl, path), headers: headersOf(ask, channel), body },
      native,
      reader,
    }
  },
}

/** Returns the number of requested replies. Ollama ignores the number, and returns one reply. */
function choicesOf({ dialect, body, conversation }: ProviderRequest): number {
  const isOpenAi = dialect === 'openai-chat' || dialect === 'openai-completions'
  return (isOpenAi ? numberOf(body.n) : conversation().choices) ?? 1
}

function needsNativeApi(ask: ProviderRequest): boolean {
  if (ask.dialect === 'openai-completions') return false
  if (NATIVE_FIELDS.some((name) => name in ask.body)) return true
  return ask.dialect === 'openai-chat' ? 'reasoning_effort' in ask.body : ask.conversation().reasoning !== undefined
}

async function planNativeChat(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Promise<Plan> {
  refuseFeatures(ask.conversation(), ['choices', 'modalities', 'bias'])
  const conversation = await withInlineMedia(ask.conversation(), context)
  const chat = chatBody(conversation, { model: ask.model, stream: ask.stream, reasoning: 'content' })
  const think = conversation.reasoning?.visible && chat.reasoning_effort === undefined ? { think: true } : {}
  return {
    request: {
      url: `${rootUrl(channel)}/api/chat`,
      headers: headersOf(ask, channel),
      body: JSON.stringify(toOllamaChat({ ...think, ...chat })),
    },
    framing: 'ndjson',
    reader: withCustomCalls(withThinkTags(ollamaReader()), customToolsOf(conversation)),
  }
}

function planEmbeddings(ask: ProviderRequest, channel: LiveChannel): Plan {
  return {
    request: {
      url: `${rootUrl(channel)}/api/embed`,
      headers: headersOf(ask, channel),
      body: JSON.stringify(embedBody(ask.body, ask.model)),
    },
    native: true,
    convert: (reply) => embeddingsOf(reply, ask.body),
  }
}

/**
 * Converts an embeddings request to Ollama's format. Throws REQUEST_MALFORMED.
 * https://github.com/ollama/ollama/blob/main/docs/api.md
 */
function embedBody(body: Readonly<Json>, model: string): Json {
  const { dimensions, truncate, options, keep_alive } = body
  return defined({ model, input: readEmbeddingTexts(body), dimensions, truncate, options, keep_alive })
}

/** Converts the reply to OpenAI's format, with one item per input, in the order of the inputs. */
function embeddingsOf({ embeddings, model, prompt_eval_count }: Json, requestBody: Readonly<Json>): Json {
  const vectors = arrayOf(embeddings).map((vector) => arrayOf(vector).map(Number))
  return toOpenAiEmbeddings(vectors, {
    model: wordOf(model ?? requestBody.model),
    encoding: requestBody.encoding_format,
    promptTokens: countOf(prompt_eval_count),
  })
}

/** Returns the base URL without `/v1`, because Ollama's own API is not below `/v1`. */
function rootUrl({ baseUrl }: LiveChannel): string {
  return baseUrl.replace(/\/v1$/, '')
}

/** Returns the headers. Ollama needs no key, but a proxy in front of Ollama may need a key. */
function headersOf({ stream }: Pick<ProviderRequest, 'stream'>, { key }: LiveChannel): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream, application/x-ndjson' : 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  }
}
