import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { whenDone } from './lifetime.ts'

export interface TcpProxy {
  /** The target's URL with the proxy's host and port. */
  readonly url: string
  /** Accepts and reads data without forwarding it, like a network that drops packets. */
  silence(): void
  /** Ends all connections and refuses new ones, like a server that is down. */
  refuse(): Promise<void>
  /** Forwards everything again. */
  restore(): Promise<void>
}

/** Starts a proxy for a database server, whose connection tests can disrupt. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let silent = false
  const track = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      track(from)
      from.on('data', (bytes) => void (silent || to.write(bytes)))
      from.on('close', () => void (silent || to.destroy()))
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const port = await listen(0)
  whenDone(() => {
    server.close()
    endAll()
  })
  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    silence() {
      silent = true
    },
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      endAll()
      await closed
    },
    async restore() {
      // Discarded data cannot be forwarded later.
      if (silent) endAll()
      silent = false
      if (!server.listening) await listen(port)
    },
  }
}
