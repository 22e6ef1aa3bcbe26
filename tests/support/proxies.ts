import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestProxy {
  url: string
  /** `host:port` of every requested tunnel, oldest first. */
  requests: string[]
  /** `user:password` of each request. */
  credentials: string[]
}

type Route = (target: string) => { host: string; port: number }

/** Returns a tunnel's target; default: the requested one. */
const asAsked: Route = (target) => {
  const at = target.lastIndexOf(':')
  return { host: target.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(target.slice(at + 1)) }
}

/** Starts a proxy that tunnels with CONNECT. `status`: replaces 200 in replies. */
export async function startHttpProxy({ status = 200, route = asAsked } = {}): Promise<TestProxy> {
  const requests: string[] = []
  const credentials: string[] = []
  const sockets = new Set<Socket>()
  const server = createHttpServer()
  server.on('connect', (request, socket: Socket) => {
    requests.push(request.url ?? '')
    const [, credential = ''] = (request.headers['proxy-authorization'] ?? '').split(' ')
    credentials.push(Buffer.from(credential, 'base64').toString())
    socket.write(`HTTP/1.1 ${status} Answer\r\n\r\n`)
    if (status === 200) join(socket, route(request.url ?? ''), sockets)
    else socket.end()
  })
  const port = await listen(server, sockets)
  return { url: `http://127.0.0.1:${port}`, requests, credentials }
}

/** Starts a SOCKS5 proxy; `credential`: the required user and password. */
export async function startSocksProxy({ credential = '', route = asAsked } = {}): Promise<TestProxy> {
  const requests: string[] = []
  const credentials: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const next = async (): Promise<Buffer> => (await once(socket, 'data'))[0] as Buffer
    await next()
    socket.write(Buffer.from([5, credential ? 2 : 0]))
    if (credential) {
      const login = await next()
      const userLength = login.readUInt8(1)
      const given = `${login.toString('utf8', 2, 2 + userLength)}:${login.toString('utf8', 3 + userLength)}`
      credentials.push(given)
      socket.write(Buffer.from([1, given === credential ? 0 : 1]))
      if (given !== credential) return socket.end()
    }
    const target = readTarget(await next())
    requests.push(target)
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    join(socket, route(target), sockets)
  })
  const port = await listen(server, sockets)
  return { url: `socks5://127.0.0.1:${port}`, requests, credentials }
}

function readTarget(request: Buffer): string {
  const isName = request.readUInt8(3) === 3
  const host = isName ? request.toString('utf8', 5, 5 + request.readUInt8(4)) : [...request.subarray(4, 8)].join('.')
  return `${host}:${request.readUInt16BE(request.length - 2)}`
}

function join(socket: Socket, { host, port }: { host: string; port: number }, sockets: Set<Socket>): void {
  const far = connect(port, host)
  for (const [from, to] of [
    [socket, far],
    [far, socket],
  ] as const) {
    sockets.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

async function listen(server: Server, sockets: ReadonlySet<Socket>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
