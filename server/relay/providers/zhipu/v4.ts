import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { Operation } from '../../../../core/channels/routing/operations.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { conversationRequest } from '../openai/converse.ts'
import { endpointPlan } from '../openai/endpoint.ts'
import { withoutFields } from '../openai/fields.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { unsupported } from '../plan-errors.ts'
import type { Provider } from '../provider.ts'
import { withErrorKinds } from '../vendor-error.ts'
import { ZHIPU_ERROR_KINDS } from './errors.ts'
import { zhipuFailure } from './v3.ts'

const PATHS: Partial<Record<Operation, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
  transcriptions: '/audio/transcriptions',
}

/**
 * Zhipu's API v4, which uses OpenAI's format. Requests in Anthropic's format go to another URL.
 * https://docs.bigmodel.cn/api-reference
 */
export const zhipu: Provider = {
  failure: zhipuFailure,
  async plan(ask, configured, context) {
    const channel = { ...configured, key: configured.key.trim() }
    const path = PATHS[ask.operation] ?? unsupported(`${ask.operation} is not served by Zhipu`)
    if (ask.operation !== 'chat') {
      return endpointPlan(ask, channel.type, { url: addressOf(channel, path), headers: openAiHeaders(ask, channel) })
    }
    const { dialect, body, native, reader } = await conversationRequest(ask, channel, context, { adapt: zhipuBody })
    return {
      request: {
        url: dialect === 'anthropic-messages' ? messagesAddress(channel) : addressOf(channel, path),
        headers: openAiHeaders(ask, channel, dialect),
        body,
      },
      native,
      reader: withErrorKinds(reader, ZHIPU_ERROR_KINDS),
    }
  },
}

const VERSIONED = /(\/api(\/coding)?\/paas)?\/v4$/

/** Returns the URL of a path. Some base URLs, such as those of a coding plan, already end in the version. */
function addressOf({ baseUrl }: LiveChannel, path: string): string {
  return VERSIONED.test(baseUrl) ? baseUrl + path : `${baseUrl}/api/paas/v4${path}`
}

function messagesAddress({ baseUrl }: LiveChannel): string {
  return `${baseUrl.replace(VERSIONED, '')}/api/anthropic/v1/messages`
}

const TEMPERATURE_MAX = 0.99

/**
 * Applies changes to a chat completions body that quirks cannot express. Returns the same object if nothing changes.
 * https://docs.bigmodel.cn/api-reference
 */
function zhipuBody(body: Json): Json {
  const changes = [withAutomaticChoice, withTemperature, withOneStop, withBareImages]
  return changes.reduce((changed, change) => change(changed), body)
}

/** Replaces the tool choice by `auto`, because Zhipu cannot force a call. Drops tools that the choice excludes. */
function withAutomaticChoice(body: Json): Json {
  const { tool_choice: choice, ...rest } = body
  if (choice === undefined || choice === null || choice === 'auto') return body
  if (choice === 'none') return withoutFields(rest, ['tools', 'parallel_tool_calls'])
  const names = isRecord(choice) ? chosenNames(choice) : []
  const tools = objectsOf(body.tools).filter((tool) => names.length === 0 || names.includes(functionNameOf(tool)))
  return { ...rest, tools, tool_choice: 'auto' }
}

function chosenNames(choice: Json): string[] {
  const allowed = isRecord(choice.allowed_tools) ? objectsOf(choice.allowed_tools.tools) : [choice]
  return allowed.map(functionNameOf).filter((name) => name !== '')
}

function functionNameOf({ function: called }: Json): string {
  return isRecord(called) && typeof called.name === 'string' ? called.name : ''
}

/** Limits the temperature to Zhipu's range, which excludes 0 and 1. Replaces temperature 0 by `do_sample: false`. */
function withTemperature(body: Json): Json {
  const value = numberOf(body.temperature)
  if (value === undefined || (value > 0 && value <= TEMPERATURE_MAX)) return body
  if (value > 0) return { ...body, temperature: TEMPERATURE_MAX }
  const { temperature: _, ...rest } = body
  return { ...rest, do_sample: rest.do_sample ?? false }
}

/** Reduces the stop sequences to the first one, because Zhipu accepts only a list of one. */
function withOneStop(body: Json): Json {
  const { stop, ...rest } = body
  if (stop === undefined || (Array.isArray(stop) && stop.length === 1)) return body
  const sequences = Array.isArray(stop) ? stop : [stop]
  const first = sequences.find((sequence) => typeof sequence === 'string' && sequence.trim() !== '')
  return first === undefined ? rest : { ...rest, stop: [first] }
}

/** Replaces data URLs of images by plain base64, which Zhipu expects. */
function withBareImages(body: Json): Json {
  const messages = objectsOf(body.messages)
  if (!messages.some(({ content }) => objectsOf(content).some(isDataUrl))) return body
  return {
    ...body,
    messages: messages.map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: message.content.map((part) => (isDataUrl(part) ? withoutPrefix(part) : part)) }
        : message,
    ),
  }
}

function isDataUrl(part: unknown): part is Json {
  return isRecord(part) && part.type === 'image_url' && urlIn(part).startsWith('data:')
}

function withoutPrefix(part: Json): Json {
  const url = urlIn(part)
  return { ...part, image_url: { ...recordOf(part.image_url), url: url.slice(url.indexOf(',') + 1) } }
}

function urlIn({ image_url }: Json): string {
  return textOf(recordOf(image_url).url) ?? ''
}
