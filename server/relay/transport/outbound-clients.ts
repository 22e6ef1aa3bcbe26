import type { AllowedHost } from '../../../core/allowed-hosts.ts'
import type { Config } from '../../../core/config.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { ReasoningStore } from '../../../core/thoughts.ts'
import type { ConnectionGuard } from '../../connections.ts'
import { createGuardedClient, type GuardedClient } from '../../guarded/client.ts'
import { createCredentials } from '../attempt/credentials.ts'
import { createProviderContexts, type ProviderContextFor } from '../attempt/provider-context.ts'
import { createSignatures } from '../attempt/signatures.ts'
import { createThoughts } from '../attempt/thoughts.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** Maximum size of all files in one request, as a multiple of the maximum for one file. */
const FILES_FACTOR = 4

/** The clients for requests to upstreams, and to addresses in client requests. */
export interface OutboundClients {
  readonly upstream: Upstream
  readonly providerContextFor: ProviderContextFor
  /** Returns a client that downloads from public addresses, and from the host `beside`. */
  readonly guarded: (beside?: AllowedHost) => GuardedClient
  /** Resolves when the reasoning from recent replies is stored for other processes. Undefined if nothing is pending. */
  readonly writingThoughts: () => Promise<unknown> | undefined
  close(): Promise<void>
}

export function createOutboundClients({
  idleTimeoutMs,
  media,
  gemini,
  options,
  guard,
  thoughts: store,
}: {
  idleTimeoutMs: number
  media: Config['media']
  gemini?: Config['gemini'] | undefined
  options: Options
  /** Restricts the addresses of upstreams. Absent if all addresses are allowed. */
  guard?: ConnectionGuard | undefined
  /** Stores the reasoning of replies. Absent if reasoning remains only in memory. */
  thoughts?: ReasoningStore | undefined
}): OutboundClients {
  const upstream = createUpstream({ idleTimeoutMs, guard })
  const worker = () => {
    const url = options.get(OPTIONS.WorkerUrl)
    return url ? { url, key: options.get(OPTIONS.WorkerValidKey) } : undefined
  }
  // With `beside`, do not use the download worker: in its network, the host's name may mean another host.
  const guarded = (beside?: AllowedHost) =>
    createGuardedClient(beside ? { ...media, allowHosts: [...media.allowHosts, beside] } : { ...media, worker })
  const isOn = () => options.get(OPTIONS.ResponseStoreHours) > 0
  const thoughts = store && createThoughts({ store, isOn })
  const providerContextFor = createProviderContexts({
    upstream,
    credentials: createCredentials(),
    signatures: createSignatures(),
    ...(thoughts && { thoughts }),
    media: guarded().fetch,
    mediaBytesMax: FILES_FACTOR * media.bytesMax,
    ...(gemini && { gemini }),
  })
  const writingThoughts = () => thoughts?.writing()
  return { upstream, providerContextFor, guarded, writingThoughts, close: () => upstream.close() }
}
