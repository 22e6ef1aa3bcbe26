/**
 * Creates idempotency keys. A request that equals the last request gets the same key, so that a retry after a lost
 * reply creates nothing twice. Call `forget` after a reply, so that the next equal request gets a new key. Requests
 * that always differ do not need `forget`.
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

/** Returns 32 random hex digits. Does not use `crypto.randomUUID`, which exists only on secure origins. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
