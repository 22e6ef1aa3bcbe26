/**
 * Answers a key for each request: the same one as long as the same is asked for, so that a request that is sent again, since no
 * answer came, makes nothing twice. `forget` when it has been answered, unless the request tells which of the same it is.
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

/** `crypto.randomUUID` is only for pages from a secure address. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
