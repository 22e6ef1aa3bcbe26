import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { readFailure } from '../failure.ts'
import type { Ask, Plan, Provider } from '../provider.ts'
import { openAiPath } from './address.ts'
import { converse } from './converse.ts'
import { endpointCall } from './endpoint.ts'

const DEFAULT_VERSION = '2024-12-01-preview'
/** The first in which Responses are served. */
const RESPONSES_VERSION = '2025-03-01-preview'
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com/'

/** Azure OpenAI: https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure: Provider = {
  failure: readFailure,
  async plan(ask, channel, means) {
    if (ask.operation === 'realtime') return realtime(ask, channel)
    if (ask.operation !== 'chat') {
      const { body, headers, reading } = endpointCall(ask, channel.type)
      const url = address(ask, channel, { path: openAiPath(ask.operation, ask.dialect), model: ask.model })
      return {
        request: { url, headers: { ...azureHeaders(ask, channel), ...headers }, body },
        native: true,
        ...reading,
      }
    }
    const { path, model, body, native, reader } = await converse(ask, channel, means)
    return {
      request: { url: address(ask, channel, { path, model }), headers: azureHeaders(ask, channel), body },
      native,
      // Azure answers the base model's name, whatever the deployment is called.
      renamesModel: true,
      reader,
    }
  },
}

function versionFor({ query }: Pick<Ask, 'query'>, { other }: LiveChannel): string {
  return new URLSearchParams(query).get('api-version') || other || DEFAULT_VERSION
}

/** Deployment names of imported channels have no dots: gpt-3.5-turbo is deployed as gpt-35-turbo. */
function deploymentOf(model: string, { settings }: LiveChannel): string {
  return encodeURIComponent(settings.azureKeepDots ? model : model.replaceAll('.', ''))
}

function address(ask: Ask, channel: LiveChannel, { path, model }: { path: string; model: string }): string {
  const { baseUrl } = channel
  const version = versionFor(ask, channel)
  const rest = path.replace('/v1/', '')
  if (version === 'v1' || baseUrl.endsWith('/openai/v1')) {
    return `${baseUrl.replace(/\/openai\/v1$/, '')}/openai/v1/${rest}`
  }
  if (rest === 'responses') {
    // The model of a response stands in its body.
    const since = version < RESPONSES_VERSION ? RESPONSES_VERSION : version
    return `${baseUrl}/openai/responses?api-version=${encodeURIComponent(since)}`
  }
  // Addresses of that gateway contain this part.
  const deployments = baseUrl.startsWith(CLOUDFLARE_GATEWAY) ? '' : '/openai/deployments'
  return `${baseUrl}${deployments}/${deploymentOf(model, channel)}/${rest}?api-version=${encodeURIComponent(version)}`
}

function realtime(ask: Ask, channel: LiveChannel): Plan {
  const { 'content-type': _, accept: _accept, ...headers } = azureHeaders(ask, channel)
  const version = encodeURIComponent(versionFor(ask, channel))
  const base = channel.baseUrl.replace(/\/openai\/v1$/, '').replace(/^http/, 'ws')
  const url = `${base}/openai/realtime?deployment=${deploymentOf(ask.model, channel)}&api-version=${version}`
  return { request: { url, method: 'GET', headers, body: null }, native: true }
}

function azureHeaders(ask: Pick<Ask, 'headers' | 'stream'>, { key }: LiveChannel): Record<string, string> {
  // A key that is an Entra token goes where tokens go.
  const credential: Record<string, string> = /^(Bearer |eyJ)/.test(key)
    ? { authorization: `Bearer ${key.replace(/^Bearer /, '')}` }
    : { 'api-key': key }
  return {
    ...ask.headers,
    'content-type': 'application/json',
    accept: ask.stream ? 'text/event-stream' : 'application/json',
    ...credential,
  }
}
