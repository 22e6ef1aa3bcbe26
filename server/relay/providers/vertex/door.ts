import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Ask, Means, Plan, UpstreamRequest } from '../provider.ts'
import { expressAddress, type Place, placeOf, publishedAddress } from './address.ts'
import { accessToken, credentialKey, misconfigured, serviceAccountOf } from './service-account.ts'

/** How a channel gets into Vertex AI: with an access token into a project, or with an API key through express mode. */
export interface Door {
  readonly headers: Readonly<Record<string, string>>
  /** Where a method of one of Google's models is. */
  google(wanted: { model: string; method: string; version: string }): string
  /** The project and its region, for models of others. Throws CHANNEL_MISCONFIGURED in express mode. */
  place(): Place
  readonly credential?: NonNullable<Plan['credential']>
}

/** Throws CHANNEL_MISCONFIGURED for a key or a region that is none. */
export async function openDoor(channel: LiveChannel, ask: Ask, means: Means): Promise<Door> {
  const account = serviceAccountOf(channel)
  if (!account) {
    return {
      headers: { 'x-goog-api-key': channel.key.trim() },
      google: ({ model, method }) => expressAddress(channel.baseUrl, { model, method }),
      place: () =>
        misconfigured(
          channel.id,
          `${ask.model} needs the JSON key of a service account; an API key opens Google's own models`,
        ),
    }
  }
  const place = placeOf(channel, account, ask)
  return {
    headers: { authorization: `Bearer ${await accessToken(channel, account, means)}` },
    google: (wanted) => publishedAddress(place, { publisher: 'google', ...wanted }),
    place: () => place,
    credential: { key: credentialKey(channel, account), refused: ({ status }) => status === 401 },
  }
}

/** A request with the door's credential. The API's version is Vertex AI's matter, not that of Claude's client. */
export function requestThrough(
  door: Door,
  { headers, stream }: Pick<Ask, 'headers' | 'stream'>,
  { url, body }: { url: string; body: Buffer | string },
): UpstreamRequest {
  const { 'anthropic-version': _, ...kept } = headers
  return {
    url,
    headers: {
      ...kept,
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...door.headers,
    },
    body,
  }
}
