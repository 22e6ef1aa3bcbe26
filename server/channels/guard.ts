import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, ROLE } from '../../core/actor.ts'
import type { Config } from '../../core/config.ts'
import type { ConnectionGuard } from '../connections.ts'
import { type Lookup, publicAddresses, systemAddresses } from '../guarded/targets.ts'

/** Connecting ends before the reply is due. */
const CONNECT_MS = 4_000
/** When an administrator reads that an upstream was not reached: a closed port answers at once, a filtered one never. */
const REPLY_MS = 5_500

/**
 * Keeps an administrator from mapping the operator's network by addresses of channels. Only hosts are asked that clients may
 * have us ask, too. An upstream that was not reached has one reply, after one time.
 */
export interface Guard {
  /** Throws for an address that may not be asked. */
  readonly connection: ConnectionGuard
  /** What is said of an upstream that was not reached. */
  readonly reason: string
  /** Waits until the reply is due. `since`: when the probe began, by `performance.now()`. */
  untilReply(since: number): Promise<void>
}

/** Undefined for root, who may ask any address and reads why it failed. */
export function guardFor(
  { role }: Actor,
  { media }: Pick<Config, 'media'>,
  lookup: Lookup = systemAddresses,
): Guard | undefined {
  if (role >= ROLE.root) return undefined
  const check = (url: URL) => publicAddresses(url, { allowHosts: media.allowHosts, lookup })
  return {
    connection: {
      timeoutMs: CONNECT_MS,
      async check(target, proxy) {
        if (proxy) await check(proxy)
        return check(target)
      },
    },
    reason: 'no connection',
    untilReply: async (since) => {
      await sleep(Math.max(0, REPLY_MS - (performance.now() - since)))
    },
  }
}
