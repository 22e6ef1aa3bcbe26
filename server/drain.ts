import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * Time for which the gateway still accepts connections after the start of the drain. In this time, load balancers
 * detect that the gateway is stopping.
 */
const ACCEPT_MS = 500
/** Time for one more request on an open connection. The reply to this request asks the client to reconnect. */
const IDLE_MS = 1000
/** Interval between counts of the open connections. */
const POLL_MS = 20

/**
 * Moves clients to another process without failing requests. First, adds `Connection: close` to each reply. Then closes
 * the listener, and later the idle connections. Waits at most `graceMs`. Connections with a running request stay open.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'))
  // A reply whose headers are already sent cannot announce the close. Its client may therefore send one more request.
  server.keepAliveTimeout = IDLE_MS
  const until = performance.now() + graceMs
  const withinGrace = (ms: number) => Math.max(0, Math.min(ms, until - performance.now()))
  // This wait is necessary even if there are no connections, because a load balancer may be about to connect.
  await sleep(withinGrace(ACCEPT_MS))
  // Let the event loop accept the waiting connections, because the kernel resets them when the listener closes.
  await nextLoopTurn()
  // `close` of `http.Server` would also close new connections that have not sent their request yet.
  NetServer.prototype.close.call(server)
  await waitForNoConnections(server, withinGrace(IDLE_MS))
  server.closeIdleConnections()
}

/** Resolves when no connection is open, at the latest after `ms`. */
async function waitForNoConnections(server: Server, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until && (await countConnections(server)) > 0) await sleep(POLL_MS)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
