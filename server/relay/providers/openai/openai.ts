import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { DialectName } from '../../../../core/channels/operations.ts'
import { readFailure } from '../failure.ts'
import type { Ask, Provider } from '../provider.ts'
import { openAiAddress } from './address.ts'
import { chatReader } from './chat-reader.ts'
import { nativeBody } from './native-body.ts'

/** OpenAI and the many that speak its language: https://platform.openai.com/docs/api-reference */
export const openai: Provider = {
  failure: readFailure,
  plan(ask, channel) {
    const { operation, dialect, model, query } = ask
    return {
      request: {
        url: openAiAddress(channel, { operation, dialect, model, query }),
        headers: openAiHeaders(ask, channel),
        body: nativeBody(ask, channel.type),
      },
      native: true,
      reader: chatReader(),
    }
  },
}

export function openAiHeaders(ask: Pick<Ask, 'headers' | 'stream'>, channel: LiveChannel): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: ask.stream ? 'text/event-stream' : 'application/json',
    authorization: `Bearer ${channel.key}`,
  }
  Object.assign(headers, ask.headers)
  if (channel.organization && channel.type.type === 1) headers['openai-organization'] = channel.organization
  return headers
}

/** The format to converse with a channel in: the client's own, if the upstream speaks it. */
export function wireDialect(dialect: DialectName, { type, settings }: LiveChannel): DialectName {
  const spoken = settings.dialects ?? type.dialects
  return spoken.includes(dialect) ? dialect : (spoken[0] ?? 'openai-chat')
}
