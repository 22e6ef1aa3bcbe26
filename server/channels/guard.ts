import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, ROLE } from '../../core/actor.ts'
import type { Config } from '../../core/config.ts'
import { because, type Reason } from '../../core/messages/reasons.ts'
import type { ConnectionGuard } from '../connections.ts'
import { type Lookup, publicAddresses, systemAddresses } from '../guarded/targets.ts'

/** Fraction of the reply time after which a connection attempt ends, so that it has ended when the reply is due. */
const CONNECT_FRACTION = 0.7

/**
 * Prevents administrators from scanning the operator's network by means of channel addresses. Allows only hosts that
 * clients may also reach through the gateway. The replies for all unreachable upstreams have the same text and take the
 * same time.
 */
export interface ProbeGuard {
  /** Throws if the address is not allowed. */
  readonly connection: ConnectionGuard
  /** The reason that replies give for every unreachable upstream. */
  readonly reason: Reason
  /** Waits until the reply is due. `since` is the start of the query, by `performance.now()`. */
  untilReply(since: number): Promise<void>
}

/**
 * Returns the guard for an actor. Root has no guard, so root may query any address and sees the reason of a failure.
 */
export function guardFor(
  { role }: Actor,
  { media, unreachableReplyMs }: Pick<Config, 'media' | 'unreachableReplyMs'>,
  lookup: Lookup = systemAddresses,
): ProbeGuard | undefined {
  if (role >= ROLE.root) return undefined
  const check = (url: URL) => publicAddresses(url, { allowHosts: media.allowHosts, lookup })
  return {
    connection: {
      timeoutMs: unreachableReplyMs * CONNECT_FRACTION,
      async check(target, proxy) {
        if (proxy) await check(proxy)
        return check(target)
      },
    },
    reason: because('noConnection'),
    untilReply: async (since) => {
      await sleep(Math.max(0, unreachableReplyMs - (performance.now() - since)))
    },
  }
}
