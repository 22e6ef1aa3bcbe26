import type { AllowedHost } from '../../../core/allowed-hosts.ts'
import type { Config } from '../../../core/config.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { KeptThoughts } from '../../../core/thoughts.ts'
import type { ConnectionGuard } from '../../connections.ts'
import { createGuardedClient, type GuardedClient } from '../../guarded/client.ts'
import { createCredentials } from '../attempt/credentials.ts'
import { createMeans, type ProviderContextFor } from '../attempt/means.ts'
import { createSignatures } from '../attempt/signatures.ts'
import { createThoughts } from '../attempt/thoughts.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** Maximum size of all files in one request, as a multiple of the maximum file size. */
const FILES_OF_REQUEST = 4

/** The gateway's clients for outbound requests: to upstreams, and to addresses in client requests. */
export interface OutboundClients {
  readonly upstream: Upstream
  readonly providerContextFor: ProviderContextFor
  /** Returns a client that downloads from public addresses, and also from the host `beside` if it is set. */
  readonly guarded: (beside?: AllowedHost) => GuardedClient
  /** Returns the pending writes of thoughts for other processes; undefined if there are none. */
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
  /** Restricts the addresses of upstreams. Absent if they may have any address. */
  guard?: ConnectionGuard | undefined
  /** Stores thoughts. Absent if thoughts are only in memory. */
  thoughts?: KeptThoughts | undefined
}): OutboundClients {
  const upstream = createUpstream({ idleTimeoutMs, guard })
  const worker = () => {
    const url = options.get(OPTIONS.WorkerUrl)
    return url ? { url, key: options.get(OPTIONS.WorkerValidKey) } : undefined
  }
  // Use no worker if `beside` is set: in the worker's network, its name may be that of another host.
  const guarded = (beside?: AllowedHost) =>
    createGuardedClient(beside ? { ...media, allowHosts: [...media.allowHosts, beside] } : { ...media, worker })
  const isOn = () => options.get(OPTIONS.ResponseStoreHours) > 0
  const thoughts = store && createThoughts({ store, isOn })
  const providerContextFor = createMeans({
    upstream,
    credentials: createCredentials(),
    signatures: createSignatures(),
    ...(thoughts && { thoughts }),
    media: guarded().fetch,
    mediaBytesMax: FILES_OF_REQUEST * media.bytesMax,
    ...(gemini && { gemini }),
  })
  const writingThoughts = () => thoughts?.writing()
  return { upstream, providerContextFor, guarded, writingThoughts, close: () => upstream.close() }
}
