import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { readFailure } from '../failure.ts'
import type { Plan, Provider, ProviderRequest } from '../provider.ts'
import { CLOUDFLARE_GATEWAY, openAiPath } from './address.ts'
import { conversationRequest } from './converse.ts'
import { endpointPlan } from './endpoint.ts'

const DEFAULT_VERSION = '2024-12-01-preview'
/** The first API version that has the Responses API. */
const RESPONSES_VERSION = '2025-03-01-preview'

/** Azure OpenAI: https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure: Provider = {
  failure: readFailure,
  async plan(ask, channel, context) {
    if (ask.operation === 'realtime') return realtimePlan(ask, channel)
    if (ask.operation !== 'chat') {
      const url = azureAddress(ask, channel, { path: openAiPath(ask.operation, ask.dialect), model: ask.model })
      return endpointPlan(ask, channel.type, { url, headers: azureHeaders(ask, channel) })
    }
    const { path, model, body, native, reader } = await conversationRequest(ask, channel, context)
    return {
      request: { url: azureAddress(ask, channel, { path, model }), headers: azureHeaders(ask, channel), body },
      native,
      // Azure returns the name of the base model instead of the deployment.
      renamesModel: true,
      reader,
    }
  },
}

function versionFor({ query }: Pick<ProviderRequest, 'query'>, { other }: LiveChannel): string {
  return new URLSearchParams(query).get('api-version') || other || DEFAULT_VERSION
}

/** Returns a model's deployment name. Unless the channel keeps dots, gpt-3.5-turbo becomes gpt-35-turbo. */
function deploymentOf(model: string, { settings }: LiveChannel): string {
  return encodeURIComponent(settings.azureKeepDots ? model : model.replaceAll('.', ''))
}

function azureAddress(
  ask: ProviderRequest,
  channel: LiveChannel,
  { path, model }: { path: string; model: string },
): string {
  const { baseUrl } = channel
  const version = versionFor(ask, channel)
  const operationPath = path.replace('/v1/', '')
  if (version === 'v1' || baseUrl.endsWith('/openai/v1')) {
    return `${baseUrl.replace(/\/openai\/v1$/, '')}/openai/v1/${operationPath}`
  }
  if (operationPath === 'responses') {
    // For Responses, only the body names the model.
    const apiVersion = version < RESPONSES_VERSION ? RESPONSES_VERSION : version
    return `${baseUrl}/openai/responses?api-version=${encodeURIComponent(apiVersion)}`
  }
  // A base URL of Cloudflare's gateway already names Azure's service and resource.
  const deployments = baseUrl.startsWith(CLOUDFLARE_GATEWAY) ? '' : '/openai/deployments'
  return `${baseUrl}${deployments}/${deploymentOf(model, channel)}/${operationPath}?api-version=${encodeURIComponent(version)}`
}

function realtimePlan(ask: ProviderRequest, channel: LiveChannel): Plan {
  const { 'content-type': _, accept: _accept, ...headers } = azureHeaders(ask, channel)
  const version = encodeURIComponent(versionFor(ask, channel))
  const base = channel.baseUrl.replace(/\/openai\/v1$/, '').replace(/^http/, 'ws')
  const url = `${base}/openai/realtime?deployment=${deploymentOf(ask.model, channel)}&api-version=${version}`
  return { request: { url, method: 'GET', headers, body: null }, native: true }
}

function azureHeaders(ask: Pick<ProviderRequest, 'headers' | 'stream'>, { key }: LiveChannel): Record<string, string> {
  // An access token of Microsoft Entra is sent as a bearer token.
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
