import { readFailure } from './failure.ts'
import { upstreamBody } from './openai.ts'
import type { Provider } from './provider.ts'

const DEFAULT_VERSION = '2024-12-01-preview'
const PATHS = { chat: 'chat/completions', completions: 'completions', embeddings: 'embeddings' } as const

/** Azure OpenAI: https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure: Provider = {
  // Azure answers the base model's name, whatever the deployment is called.
  renamesModel: true,
  failure: readFailure,
  request(request, channel) {
    const version = new URLSearchParams(request.query).get('api-version') || channel.other || DEFAULT_VERSION
    const { 'api-version': _, ...headers } = request.headers
    // A key that is an Entra token goes where tokens go.
    const credential = /^(Bearer |eyJ)/.test(channel.key)
      ? { authorization: `Bearer ${channel.key.replace(/^Bearer /, '')}` }
      : { 'api-key': channel.key }
    const path = PATHS[request.operation]
    const v1 = version === 'v1' || channel.baseUrl.endsWith('/openai/v1')
    // Deployment names of imported channels have no dots: gpt-3.5-turbo is deployed as gpt-35-turbo.
    const deployment = encodeURIComponent(request.model.replaceAll('.', ''))
    const url = v1
      ? `${channel.baseUrl.replace(/\/openai\/v1$/, '')}/openai/v1/${path}`
      : `${channel.baseUrl}/openai/deployments/${deployment}/${path}?api-version=${encodeURIComponent(version)}`
    return {
      url,
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: request.stream ? 'text/event-stream' : 'application/json',
        ...credential,
      },
      body: upstreamBody(request, channel),
    }
  },
}
