import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { readFailure } from '../failure.ts'
import { joinAddress } from '../openai/address.ts'
import { chatBody } from '../openai/chat-body.ts'
import { converse } from '../openai/converse.ts'
import { withThinkTags } from '../openai/think-tags.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { ollamaChat } from './chat-body.ts'
import { ollamaReader } from './chat-reader.ts'
import { embedBody, embeddingsOf } from './embed.ts'

/** What its OpenAI-like address has no place for. */
const OWN_FIELDS = ['think', 'options', 'keep_alive']

/** Ollama: as OpenAI wherever that says all, else in its own format. https://github.com/ollama/ollama/blob/main/docs/api.md */
export const ollama: Provider = {
  failure: readFailure,
  async plan(ask, channel, means) {
    if (ask.operation === 'embeddings') return embed(ask, channel)
    if (wantsOwnFormat(ask)) return ownChat(ask, channel, means)
    const { path, body, native, reader } = await converse(ask, channel, means)
    return {
      request: { url: joinAddress(channel.baseUrl, path), headers: headersOf(ask, channel), body },
      native,
      reader,
    }
  },
}

function wantsOwnFormat(ask: Ask): boolean {
  if (ask.dialect === 'openai-completions') return false
  if (OWN_FIELDS.some((name) => name in ask.body)) return true
  return ask.dialect === 'openai-chat' ? 'reasoning_effort' in ask.body : ask.conversation().reasoning !== undefined
}

async function ownChat(ask: Ask, channel: LiveChannel, means: Means): Promise<Plan> {
  const conversation = await withInlineMedia(ask.conversation(), means)
  const chat = chatBody(conversation, { model: ask.model, stream: ask.stream, reasoning: 'content' })
  const think = conversation.reasoning?.visible && chat.reasoning_effort === undefined ? { think: true } : {}
  return {
    request: {
      url: `${root(channel)}/api/chat`,
      headers: headersOf(ask, channel),
      body: JSON.stringify(ollamaChat({ ...think, ...chat })),
    },
    framing: 'ndjson',
    reader: withThinkTags(ollamaReader()),
  }
}

function embed(ask: Ask, channel: LiveChannel): Plan {
  return {
    request: {
      url: `${root(channel)}/api/embed`,
      headers: headersOf(ask, channel),
      body: JSON.stringify(embedBody(ask.body, ask.model)),
    },
    native: true,
    convert: (reply) => embeddingsOf(reply, ask.body),
  }
}

/** Its own addresses are not below `/v1`. */
function root({ baseUrl }: LiveChannel): string {
  return baseUrl.replace(/\/v1$/, '')
}

/** It asks for no key; a proxy before it may. */
function headersOf({ stream }: Pick<Ask, 'stream'>, { key }: LiveChannel): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream, application/x-ndjson' : 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  }
}
