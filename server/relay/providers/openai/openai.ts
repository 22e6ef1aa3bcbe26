import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../../core/channels/routing/operations.ts'
import { readFailure } from '../failure.ts'
import type { Plan, Provider, ProviderRequest } from '../provider.ts'
import { openAiAddress, openAiPath } from './address.ts'
import { type ConversationRequest, conversationRequest } from './converse.ts'
import { endpointPlan } from './endpoint.ts'

const ANTHROPIC_VERSION = '2023-06-01'

/** OpenAI, and vendors that use its format: https://platform.openai.com/docs/api-reference */
export const openai: Provider = {
  failure: readFailure,
  plan(ask, channel, context) {
    if (ask.operation === 'realtime') return realtimePlan(ask, channel)
    if (ask.operation !== 'chat') {
      const path = openAiPath(ask.operation, ask.dialect)
      const url = openAiAddress(channel, { path, model: ask.model, query: forwardedQuery(ask.query) })
      return endpointPlan(ask, channel.type, { url, headers: openAiHeaders(ask, channel) })
    }
    const request = conversationRequest(ask, channel, context)
    return request instanceof Promise
      ? request.then((converted) => planOf(converted, { ask, channel }))
      : planOf(request, { ask, channel })
  },
}

function planOf(
  { dialect, path, model, body, native, reader, isNotConversation }: ConversationRequest,
  { ask, channel }: { ask: ProviderRequest; channel: LiveChannel },
): Plan {
  // A translated request has another path, so the client's query may be invalid for it.
  const query = native ? forwardedQuery(ask.query) : ''
  const url = openAiAddress(channel, { path, model, query })
  const request = { url, headers: openAiHeaders(ask, channel, dialect), body }
  return isNotConversation ? { request, native, reader, isNotConversation } : { request, native, reader }
}

/** Plans a realtime session: https://platform.openai.com/docs/guides/realtime-websocket */
function realtimePlan(ask: ProviderRequest, channel: LiveChannel): Plan {
  const query = `model=${encodeURIComponent(ask.model)}`
  const url = openAiAddress(channel, { path: openAiPath('realtime', ask.dialect), model: ask.model, query })
  return {
    request: { url: url.replace(/^http/, 'ws'), method: 'GET', headers: openAiHeaders(ask, channel), body: null },
    native: true,
  }
}

/** Returns a request's headers. `dialect` is the upstream's format of a conversation, absent for other operations. */
export function openAiHeaders(
  ask: Pick<ProviderRequest, 'headers' | 'stream'>,
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

/**
 * Query parameters that Google's front ends read for every API, even for OpenAI's format. They could remove the usage
 * from a reply, change its format, or choose the billed project. https://cloud.google.com/apis/docs/system-parameters
 */
const SYSTEM_PARAMETERS = `accesstoken alt apiversionoverride bearertoken callback fields key oauthtoken outputdefaults pp prettyprint quotauser
  uploadprotocol uploadtype userip userproject xgafv`
/** Query parameters to drop. `model` and `deployment` could contradict the model that the gateway sends. */
const DROPPED_PARAMETERS = new Set(['model', 'deployment', ...SYSTEM_PARAMETERS.split(/\s+/)])

/** Returns the client's query without parameters that change the cost or the payer of a request. */
function forwardedQuery(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !pair.includes(';') && namesOf(pair).every((name) => !DROPPED_PARAMETERS.has(name)))
    .join('&')
}

/** Returns parameter names as lower-case letters only, because variants contain capitals, `$` or underscores. */
function namesOf(pair: string): string[] {
  return [...new URLSearchParams(pair).keys()].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
}
