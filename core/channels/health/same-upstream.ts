import type { LiveChannel } from '../directory.ts'

/** Whether what is known about the one holds for the other: nothing has changed that the upstream would notice. */
export function sameUpstream(one: LiveChannel, other: LiveChannel): boolean {
  // Those of one ring differ in nothing but the key that was chosen.
  return one === other || (one.ring !== undefined && one.ring === other.ring) || signatureOf(one) === signatureOf(other)
}

function signatureOf(channel: LiveChannel): string {
  const { type, key, ring, baseUrl, other, organization, models, modelMapping, settings } = channel
  const keys = ring?.texts ?? key
  return JSON.stringify([type.type, keys, baseUrl, other, organization, models, modelMapping, settings])
}
