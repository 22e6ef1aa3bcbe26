import type { Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'

/** How long new connections are still accepted, so that load balancers can read that the gateway is stopping. */
const ACCEPT_MS = 500
/** Time for an open connection's next request, whose reply asks the client to reconnect. */
const IDLE_MS = 1000
const LOOK_MS = 20

/**
 * Moves clients to another process without failing requests. First, every reply gets `Connection: close`; then the listener closes;
 * then idle connections close. Resolves after that, at the latest after `graceMs`. Connections with a request stay open.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'))
  // A reply whose headers are already sent cannot announce the close: its connection may send one more request during this time.
  server.keepAliveTimeout = IDLE_MS
  const until = performance.now() + graceMs
  const atMost = (ms: number) => Math.max(0, Math.min(ms, until - performance.now()))
  // Also without connections: a load balancer may be about to connect.
  await sleep(atMost(ACCEPT_MS))
  // Right after the loop has accepted the connections that wait: the kernel resets those that are not accepted.
  await immediate()
  // The HTTP server's own `close` would also close connections that were just accepted and are about to send a request.
  Listener.prototype.close.call(server)
  await connectionsGone(server, atMost(IDLE_MS))
  server.closeIdleConnections()
}

async function connectionsGone(server: Server, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until && (await countConnections(server)) > 0) await sleep(LOOK_MS)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
