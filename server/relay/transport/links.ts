import type { AllowedHost } from '../../../core/allowed-hosts.ts'
import type { Config } from '../../../core/config.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { KeptThoughts } from '../../../core/thoughts.ts'
import type { ConnectionGuard } from '../../connections.ts'
import { createGuardedClient, type GuardedClient } from '../../guarded/client.ts'
import { createCredentials } from '../attempt/credentials.ts'
import { createMeans, type MeansOf } from '../attempt/means.ts'
import { createSignatures } from '../attempt/signatures.ts'
import { createThoughts } from '../attempt/thoughts.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** So many files of the largest size may one request have, or more smaller ones. */
const FILES_OF_REQUEST = 4

/** The ways out of the gateway: to upstreams, and to what clients name in their requests. */
export interface Links {
  readonly upstream: Upstream
  readonly meansOf: MeansOf
  /** Downloads from public addresses, and from a host that an operator has set a channel up with. */
  readonly guarded: (beside?: AllowedHost) => GuardedClient
  /** Thoughts that are being written for other processes; undefined: none. */
  readonly writingThoughts: () => Promise<unknown> | undefined
  close(): Promise<void>
}

export function createLinks({
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
  /** Absent: upstreams may be anywhere. */
  guard?: ConnectionGuard | undefined
  /** Absent: thoughts stay in memory. */
  thoughts?: KeptThoughts | undefined
}): Links {
  const upstream = createUpstream({ idleTimeoutMs, guard })
  const worker = () => {
    const url = options.get(OPTIONS.WorkerUrl)
    return url ? { url, key: options.get(OPTIONS.WorkerValidKey) } : undefined
  }
  // The worker fetches from its own network, where such a host may be another.
  const guarded = (beside?: AllowedHost) =>
    createGuardedClient(beside ? { ...media, allowHosts: [...media.allowHosts, beside] } : { ...media, worker })
  const isOn = () => options.get(OPTIONS.ResponseStoreHours) > 0
  const thoughts = store && createThoughts({ store, isOn })
  const meansOf = createMeans({
    upstream,
    credentials: createCredentials(),
    signatures: createSignatures(),
    ...(thoughts && { thoughts }),
    media: guarded().fetch,
    mediaBytesMax: FILES_OF_REQUEST * media.bytesMax,
    ...(gemini && { gemini }),
  })
  const writingThoughts = () => thoughts?.writing()
  return { upstream, meansOf, guarded, writingThoughts, close: () => upstream.close() }
}
