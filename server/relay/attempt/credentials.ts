/** Time before its expiry at which a credential is refreshed, because running requests still use the old one. */
const MARGIN_MS = 5 * 60_000
/** Maximum of `MARGIN_MS`, as a fraction of the credential's lifetime. It shortens the margin of short-lived ones. */
const MARGIN_FRACTION = 0.1
const CREDENTIALS_MAX = 1000

interface CachedCredential {
  readonly value: Promise<string>
  /** Infinity while the credential is being fetched. */
  refreshAt: number
}

/** Cache of temporary credentials, shared by all requests. Times are in milliseconds since the epoch. */
export function createCredentials({
  now = Date.now,
  credentialsMax = CREDENTIALS_MAX,
}: {
  now?: () => number
  credentialsMax?: number
} = {}) {
  const cache = new Map<string, CachedCredential>()

  function start(key: string, fetch: () => Promise<{ value: string; expiresAt: number }>): Promise<string> {
    const fetching = fetch()
    const entry: CachedCredential = { value: fetching.then(({ value }) => value), refreshAt: Number.POSITIVE_INFINITY }
    cache.delete(key)
    cache.set(key, entry)
    const [oldest] = cache.keys()
    if (cache.size > credentialsMax && oldest !== undefined) cache.delete(oldest)
    const fetchedAt = now()
    fetching.then(
      ({ expiresAt }) => {
        entry.refreshAt = expiresAt - Math.min(MARGIN_MS, (expiresAt - fetchedAt) * MARGIN_FRACTION)
      },
      () => {
        if (cache.get(key) === entry) cache.delete(key)
      },
    )
    return entry.value
  }

  function findFresh(key: string): CachedCredential | undefined {
    const entry = cache.get(key)
    return entry && now() < entry.refreshAt ? entry : undefined
  }

  return {
    /**
     * Returns the credential for a key. Calls `fetch` only if the cache has no fresh credential. Caches the result
     * until shortly before it expires. Concurrent callers share one call. Failures are not cached.
     */
    async credential(key: string, fetch: () => Promise<{ value: string; expiresAt: number }>): Promise<string> {
      const cached = findFresh(key)
      if (!cached) return start(key, fetch)
      try {
        return await cached.value
      } catch {
        // The shared call may have failed because the client of another request disconnected. So retry once.
        return findFresh(key)?.value ?? start(key, fetch)
      }
    },
    /** Removes a rejected credential from the cache. */
    forgetCredential(key: string): void {
      cache.delete(key)
    },
  }
}
