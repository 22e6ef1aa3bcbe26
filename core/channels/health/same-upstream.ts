import type { LiveChannel } from '../routing/directory.ts'

/** Whether two channels are the same to the upstream, so that findings about one apply to the other. */
export function sameUpstream(one: LiveChannel, other: LiveChannel): boolean {
  // Channels of one ring differ only in the chosen key.
  return one === other || (one.ring !== undefined && one.ring === other.ring) || signatureOf(one) === signatureOf(other)
}

function signatureOf(channel: LiveChannel): string {
  const { type, key, ring, baseUrl, other, organization, models, modelMapping, settings } = channel
  const keys = ring?.texts ?? key
  return JSON.stringify([type.type, keys, baseUrl, other, organization, models, modelMapping, settings])
}
