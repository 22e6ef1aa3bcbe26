import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { DialectName } from '../../../../core/channels/operations.ts'
import { readFailure } from '../failure.ts'
import type { Ask, Plan, Provider } from '../provider.ts'
import { openAiAddress, openAiPath } from './address.ts'
import { converse, type Said } from './converse.ts'
import { endpointCall } from './endpoint.ts'
import { passingQuery } from './query.ts'

const ANTHROPIC_VERSION = '2023-06-01'

/** OpenAI and the many that speak its language: https://platform.openai.com/docs/api-reference */
export const openai: Provider = {
  failure: readFailure,
  plan(ask, channel, means) {
    if (ask.operation === 'realtime') return realtime(ask, channel)
    if (ask.operation !== 'chat') return endpoint(ask, channel)
    const said = converse(ask, channel, means)
    return said instanceof Promise ? said.then((it) => planOf(it, { ask, channel })) : planOf(said, { ask, channel })
  },
}

function planOf(
  { dialect, path, model, body, native, reader }: Said,
  { ask, channel }: { ask: Ask; channel: LiveChannel },
): Plan {
  // What a client writes behind its own address means nothing at another.
  const query = native ? passingQuery(ask.query) : ''
  const url = openAiAddress(channel, { path, model, query })
  return { request: { url, headers: openAiHeaders(ask, channel, dialect), body }, native, reader }
}

function endpoint(ask: Ask, channel: LiveChannel): Plan {
  const { body, headers, reading } = endpointCall(ask, channel.type)
  const path = openAiPath(ask.operation, ask.dialect)
  return {
    request: {
      url: openAiAddress(channel, { path, model: ask.model, query: passingQuery(ask.query) }),
      headers: { ...openAiHeaders(ask, channel), ...headers },
      body,
    },
    native: true,
    ...reading,
  }
}

/** https://platform.openai.com/docs/guides/realtime-websocket */
function realtime(ask: Ask, channel: LiveChannel): Plan {
  const query = `model=${encodeURIComponent(ask.model)}`
  const url = openAiAddress(channel, { path: openAiPath('realtime', ask.dialect), model: ask.model, query })
  const { authorization = '', ...headers } = openAiHeaders(ask, channel)
  return {
    request: {
      url: url.replace(/^http/, 'ws'),
      method: 'GET',
      headers: { ...headers, authorization },
      body: null,
    },
    native: true,
  }
}

/** `dialect`: what is spoken, where that is a conversation. */
export function openAiHeaders(
  ask: Pick<Ask, 'headers' | 'stream'>,
  channel: LiveChannel,
  dialect?: DialectName,
): Record<string, string> {
  const isMessages = dialect === 'anthropic-messages'
  const credential: Record<string, string> =
    dialect && channel.type.quirks?.apiKeyIn?.includes(dialect)
      ? { 'x-api-key': channel.key }
      : { authorization: `Bearer ${channel.key}` }
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: ask.stream ? 'text/event-stream' : 'application/json',
    ...(isMessages && { 'anthropic-version': ANTHROPIC_VERSION }),
    ...ask.headers,
    ...credential,
  }
  if (channel.organization && channel.type.organization) headers['openai-organization'] = channel.organization
  return headers
}
