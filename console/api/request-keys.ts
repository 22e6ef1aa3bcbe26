/**
 * Creates idempotency keys. Equal requests get the same key, so that a retry after a lost reply creates nothing twice. Call
 * `forget` after a reply, unless the request itself tells repeats apart.
 */
export function createRequestKeys(): { keyFor: (request: object) => string; forget: () => void } {
  let last: { request: string; key: string } | undefined
  return {
    keyFor(request) {
      const text = JSON.stringify(request)
      if (last?.request !== text) last = { request: text, key: randomKey() }
      return last.key
    },
    forget() {
      last = undefined
    },
  }
}

/** `crypto.randomUUID` exists only on secure origins. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
