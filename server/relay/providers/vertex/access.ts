import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { misconfigured } from '../plan-errors.ts'
import type { Plan, ProviderContext, ProviderRequest, UpstreamRequest } from '../provider.ts'
import { expressAddress, publishedAddress, type VertexLocation, vertexLocationOf } from './address.ts'
import { credentialKey, googleAccessToken, serviceAccountOf } from './service-account.ts'

/** A channel's access to Vertex AI: a project with an access token, or express mode with an API key. */
export interface VertexAccess {
  /** The header with the credential. */
  readonly headers: Readonly<Record<string, string>>
  /** Returns the URL of a method of one of Google's models. */
  google(target: { model: string; method: string; version: string }): string
  /** Returns project and region, which other vendors' models need. Throws CHANNEL_MISCONFIGURED in express mode. */
  location(): VertexLocation
  readonly credential?: NonNullable<Plan['credential']>
}

/** Returns the access of a channel. Throws CHANNEL_MISCONFIGURED for an invalid key or region. */
export async function resolveAccess(
  channel: LiveChannel,
  ask: ProviderRequest,
  context: ProviderContext,
): Promise<VertexAccess> {
  const account = serviceAccountOf(channel)
  if (!account) {
    return {
      headers: { 'x-goog-api-key': channel.key.trim() },
      google: ({ model, method }) => expressAddress(channel.baseUrl, { model, method }),
      location: () =>
        misconfigured(
          channel.id,
          `${ask.model} needs the JSON key of a service account; an API key opens Google's own models`,
        ),
    }
  }
  const vertexLocation = vertexLocationOf(channel, account, ask)
  return {
    headers: { authorization: `Bearer ${await googleAccessToken(channel, account, context)}` },
    google: (target) => publishedAddress(vertexLocation, { publisher: 'google', ...target }),
    location: () => vertexLocation,
    credential: { key: credentialKey(channel, account), isRejectedBy: ({ status }) => status === 401 },
  }
}

/**
 * Returns a request with the credential. Drops the client's header `anthropic-version`, because Vertex AI reads the
 * version from the body.
 */
export function requestWithAccess(
  access: VertexAccess,
  { headers, stream }: Pick<ProviderRequest, 'headers' | 'stream'>,
  { url, body }: { url: string; body: Buffer | string },
): UpstreamRequest {
  const { 'anthropic-version': _, ...forwardedHeaders } = headers
  return {
    url,
    headers: {
      ...forwardedHeaders,
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...access.headers,
    },
    body,
  }
}
