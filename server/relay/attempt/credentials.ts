/** Credentials are refreshed this long before they expire, so that they stay valid for the request that uses them. */
const MARGIN_MS = 5 * 60_000
/** The margin of short-lived credentials, as a share of their lifetime. */
const MARGIN_SHARE = 0.1
const CREDENTIALS_MAX = 1000

/** Cache of temporary credentials, shared by all requests. Times are in milliseconds since the epoch. */
export interface Credentials {
  /**
   * Returns the result of `ask`, cached until shortly before it expires. Concurrent callers share one call. Failures are not
   * cached.
   */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Removes a credential that the upstream rejected. */
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

  function kept(key: string): Entry | undefined {
    const entry = entries.get(key)
    return entry && now() < entry.refreshAt ? entry : undefined
  }

  return {
    async credential(key, ask) {
      const found = kept(key)
      if (!found) return start(key, ask)
      try {
        return await found.value
      } catch {
        // The first caller may have failed for its own reason: its client disconnected. Retry once, shared again.
        return kept(key)?.value ?? start(key, ask)
      }
    },
    forgetCredential(key) {
      entries.delete(key)
    },
  }
}
