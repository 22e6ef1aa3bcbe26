import { readFailure } from '../failure.ts'
import type { Provider } from '../provider.ts'
import { openAiPath } from './address.ts'
import { chatReader } from './chat-reader.ts'
import { nativeBody } from './native-body.ts'

const DEFAULT_VERSION = '2024-12-01-preview'

/** Azure OpenAI: https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure: Provider = {
  failure: readFailure,
  plan(ask, channel) {
    const version = new URLSearchParams(ask.query).get('api-version') || channel.other || DEFAULT_VERSION
    const { 'api-version': _, ...headers } = ask.headers
    // A key that is an Entra token goes where tokens go.
    const credential = /^(Bearer |eyJ)/.test(channel.key)
      ? { authorization: `Bearer ${channel.key.replace(/^Bearer /, '')}` }
      : { 'api-key': channel.key }
    const path = openAiPath(ask.operation, ask.dialect).replace('/v1/', '')
    const v1 = version === 'v1' || channel.baseUrl.endsWith('/openai/v1')
    // Deployment names of imported channels have no dots: gpt-3.5-turbo is deployed as gpt-35-turbo.
    const deployment = encodeURIComponent(channel.settings.azureKeepDots ? ask.model : ask.model.replaceAll('.', ''))
    const url = v1
      ? `${channel.baseUrl.replace(/\/openai\/v1$/, '')}/openai/v1/${path}`
      : `${channel.baseUrl}/openai/deployments/${deployment}/${path}?api-version=${encodeURIComponent(version)}`
    return {
      request: {
        url,
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: ask.stream ? 'text/event-stream' : 'application/json',
          ...credential,
        },
        body: nativeBody(ask, channel.type),
      },
      native: true,
      // Azure answers the base model's name, whatever the deployment is called.
      renamesModel: true,
      reader: chatReader(),
    }
  },
}
