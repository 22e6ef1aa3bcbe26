/**
 * Creates idempotency keys. A request equal to the last one gets the same key, so that a retry after a lost reply does not create
 * anything twice. Call `forget` after a reply, so that an equal request is a new one. This is not needed if the request itself
 * differs each time.
 */
export function createRequestKeys(): { keyFor: (request: object) => string; forget: () => void } {
  let lastRequest: { request: string; key: string } | undefined
  return {
    keyFor(request) {
      const text = JSON.stringify(request)
      if (lastRequest?.request !== text) lastRequest = { request: text, key: randomKey() }
      return lastRequest.key
    },
    forget() {
      lastRequest = undefined
    },
  }
}

/** Returns a random key. Does not use `crypto.randomUUID`, which exists only on secure origins. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
