/** A credential is refreshed this long before it expires, so that it stays valid during a request. */
const MARGIN_MS = 5 * 60_000
/** The margin of a short-lived credential, as a share of its lifetime. */
const MARGIN_SHARE = 0.1
const CREDENTIALS_MAX = 1000

/** Cache of temporary credentials, shared by all requests. Times are in milliseconds since the epoch. */
export interface Credentials {
  /**
   * Returns the credential for a key. Calls `ask` only if the cache has no fresh one. Caches the result until shortly
   * before it expires. Concurrent callers share one call. Failures are not cached.
   */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Removes a credential that the upstream rejected from the cache. */
  forgetCredential(key: string): void
}

interface Entry {
  readonly value: Promise<string>
  /** Infinity while the credential is being fetched. */
  refreshAt: number
}

export function createCredentials({
  now = Date.now,
  credentialsMax = CREDENTIALS_MAX,
}: {
  now?: () => number
  credentialsMax?: number
} = {}): Credentials {
  const entries = new Map<string, Entry>()

  function start(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string> {
    const asking = ask()
    const entry: Entry = { value: asking.then(({ value }) => value), refreshAt: Number.POSITIVE_INFINITY }
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > credentialsMax && oldest !== undefined) entries.delete(oldest)
    const askedAt = now()
    asking.then(
      ({ expiresAt }) => {
        entry.refreshAt = expiresAt - Math.min(MARGIN_MS, (expiresAt - askedAt) * MARGIN_SHARE)
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry.value
  }

  function findFresh(key: string): Entry | undefined {
    const entry = entries.get(key)
    return entry && now() < entry.refreshAt ? entry : undefined
  }

  return {
    async credential(key, ask) {
      const found = findFresh(key)
      if (!found) return start(key, ask)
      try {
        return await found.value
      } catch {
        // The shared call may have failed because the client of another request disconnected. So retry once.
        return findFresh(key)?.value ?? start(key, ask)
      }
    },
    forgetCredential(key) {
      entries.delete(key)
    },
  }
}
