import type { EventEmitter } from 'node:events'
import { type Dispatcher, errors, Pool } from 'undici'
import type { UpstreamRequest } from './providers/provider.ts'

const CONNECTIONS_PER_ORIGIN = 1024
const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000

export type UpstreamReply = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

/** The one client that speaks to upstreams: a pool of connections for each origin. */
export interface Upstream {
  /** Resolves with the head of the answer; `signal` emits `abort` to end the exchange at any time. */
  send(request: UpstreamRequest, options: { signal: EventEmitter; headersTimeoutMs: number }): Promise<UpstreamReply>
  close(): Promise<void>
}

export function createUpstream({ idleTimeoutMs }: { idleTimeoutMs: number }): Upstream {
  const pools = new Map<string, Pool>()

  function poolOf(origin: string): Pool {
    let pool = pools.get(origin)
    if (!pool) {
      pool = new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        connect: { timeout: CONNECT_TIMEOUT_MS },
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS * 4,
      })
      pools.set(origin, pool)
    }
    return pool
  }

  return {
    send({ url, headers, body }, { signal, headersTimeoutMs }) {
      const slash = url.indexOf('/', url.indexOf('://') + 3)
      const origin = slash < 0 ? url : url.slice(0, slash)
      return poolOf(origin).request({
        path: slash < 0 ? '/' : url.slice(slash),
        method: 'POST',
        headers,
        body,
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: idleTimeoutMs,
      })
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Whether an exchange ended because the upstream was silent for too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
}
