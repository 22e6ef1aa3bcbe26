import { createMeans, type MeansOf } from './means.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** The ways out of the gateway: to upstreams, and to what their requests name. */
export interface Links {
  readonly upstream: Upstream
  readonly meansOf: MeansOf
  close(): Promise<void>
}

export function createLinks({ idleTimeoutMs }: { idleTimeoutMs: number }): Links {
  const upstream = createUpstream({ idleTimeoutMs })
  const signatures = new Map<string, string>()
  const meansOf = createMeans({
    upstream,
    credentials: { credential: async (_key, ask) => (await ask()).value, forgetCredential: () => undefined },
    signatures: { get: (id) => signatures.get(id), set: (id, signature) => void signatures.set(id, signature) },
    media: async (url) => {
      throw new Error(`no way to ${url}`)
    },
  })
  return { upstream, meansOf, close: () => upstream.close() }
}
