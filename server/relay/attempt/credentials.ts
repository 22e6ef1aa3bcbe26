/** Refreshed so long before its end, that a request which takes it now still finds it valid. */
const MARGIN_MS = 5 * 60_000
/** Of a credential that lives shorter than the margin allows for. */
const MARGIN_SHARE = 0.1
const CREDENTIALS_MAX = 1000

/** Credentials that live for a while, kept for all requests that need them. Times in milliseconds since the epoch. */
export interface Credentials {
  /** What `ask` gives; asked once however many need it, and again shortly before it ends. A failure is not kept. */
  credential(key: string, ask: () => Promise<{ value: string; expiresAt: number }>): Promise<string>
  /** Forgets one that the upstream refused. */
  forgetCredential(key: string): void
}

interface Entry {
  readonly value: Promise<string>
  /** While it is asked for: never. */
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
        // Whoever asked may have failed for a reason of its own: its client left. Once more, again together.
        return kept(key)?.value ?? start(key, ask)
      }
    },
    forgetCredential(key) {
      entries.delete(key)
    },
  }
}
