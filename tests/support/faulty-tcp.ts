import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { whenDone } from './lifetime.ts'

/** How a proxy treats its connections. */
type Mode =
  | 'pass'
  /** New connections are refused, open ones reset. */
  | 'refuse'
  /** No data passes in either direction, and no connection closes. */
  | 'black-hole'
  /** Connections open, but the first query on each, and all after it, get no reply. */
  | 'silent-queries'

/** A proxy between a process and its PostgreSQL that can lose replies. */
export interface FaultyTcp {
  /** The database URL through the proxy. */
  readonly url: string
  mode: Mode
  /**
   * Loses the reply to the next COMMIT, or the next prepared statement that commits by itself, for which `isChosen` returns
   * true: the server has committed, and the client sees a reset. With `before`, the COMMIT itself is lost. Resolves once
   * done.
   */
  loseCommit(options?: { before?: boolean; isChosen?: (statements: readonly string[]) => boolean }): Promise<void>
  /** Resets the next new connection after `bytes` from the server. */
  cutAfter(bytes: number): void
  /** Resets all open connections. */
  cutAll(): void
  /** Resets all open connections, and connects new ones to another server: a failover. */
  retarget(databaseUrl: string): void
  /** Silently drops all data to the clients of currently open connections; new connections work. */
  silenceOpen(): void
}

interface Losing {
  before: boolean
  isChosen: (statements: readonly string[]) => boolean
  done: () => void
}

/** Simple and prepared queries, unlike what a connection sends to log in. https://www.postgresql.org/docs/current/protocol-message-formats.html */
const isQuery = (data: Buffer): boolean => data[0] === 0x51 || data[0] === 0x50

/** Starts a proxy for a PostgreSQL URL; it ends with the test. */
export async function startFaultyTcp(databaseUrl: string): Promise<FaultyTcp> {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  let mode: Mode = 'pass'
  let losing: Losing | undefined
  let cutBytes: number | undefined
  const resumes = new Set<() => void>()

  const server = createServer((client) => {
    if (mode === 'refuse') return void client.resetAndDestroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const reset = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    let statements: string[] = []
    let swallowing: Losing | undefined
    const left = cutBytes
    let received = 0
    cutBytes = undefined
    const whenOpen = (work: () => void) => {
      if (mode !== 'black-hole') return work()
      resumes.add(work)
    }
    client.on('data', (data) => {
      if (mode === 'silent-queries' && isQuery(data)) silent.add(client)
      const text = data.toString('latin1')
      const isWholeTransaction = /tollgate-(settle|reserve|return)/.test(text)
      if (isWholeTransaction || text.includes('BEGIN')) statements = []
      statements.push(text)
      const isCommit = isWholeTransaction || text.includes('COMMIT;')
      if (isCommit && losing?.isChosen(statements)) {
        swallowing = losing
        losing = undefined
        if (swallowing.before) {
          reset()
          return swallowing.done()
        }
      }
      whenOpen(() => void upstream.write(data))
    })
    upstream.on('data', (data) => {
      if (silent.has(client)) return
      received += data.length
      if (swallowing) {
        reset()
        return swallowing.done()
      }
      whenOpen(() => {
        client.write(data)
        if (left !== undefined && received >= left) reset()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  whenDone(() => {
    cutAll()
    server.close()
  })
  const through = new URL(databaseUrl)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    get mode() {
      return mode
    },
    set mode(next) {
      mode = next
      if (next === 'refuse') cutAll()
      if (next === 'pass') {
        for (const resume of resumes) resume()
        resumes.clear()
      }
    },
    loseCommit: ({ before = false, isChosen = () => true } = {}) =>
      new Promise((resolve) => {
        losing = { before, isChosen, done: resolve }
      }),
    cutAfter(bytes) {
      cutBytes = bytes
    },
    cutAll,
    retarget(url) {
      target = new URL(url)
      cutAll()
    },
    silenceOpen() {
      for (const socket of sockets) silent.add(socket)
    },
  }
}
