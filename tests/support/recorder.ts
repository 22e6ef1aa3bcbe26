import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { whenDone } from './lifetime.ts'

/** One reply of a gateway as it was sent, before any library reads it. */
export interface RecordedReply {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly request: string
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface Recorder {
  readonly url: string
  /** All replies so far; those that broke off have the text until then. */
  readonly replies: readonly RecordedReply[]
}

/** Starts a proxy for a gateway that records the replies. WebSockets pass without a record. */
export async function startRecorder(target: string): Promise<Recorder> {
  const replies: RecordedReply[] = []
  const { hostname, port } = new URL(target)
  const server = createServer({ keepAliveTimeout: 60_000 }, (asked, answer) => {
    const sent: Buffer[] = []
    asked.on('data', (chunk: Buffer) => sent.push(chunk))
    const passed = httpRequest(target + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      const received: Buffer[] = []
      got.on('data', (chunk: Buffer) => received.push(chunk))
      got.on('close', () => replies.push(recordOf(asked, got, { sent, received })))
      got.on('error', () => setImmediate(() => answer.destroy()))
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.on('upgrade', ({ method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer) => {
    const onward = connect(Number(port), hostname)
    const lines = rawHeaders.flatMap((name, at) => (at % 2 ? [] : `${name}: ${rawHeaders[at + 1]}\r\n`))
    onward.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    onward.write(head)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('error', () => from.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, replies }
}

function recordOf(
  asked: IncomingMessage,
  got: IncomingMessage,
  { sent, received }: { sent: readonly Buffer[]; received: readonly Buffer[] },
): RecordedReply {
  return {
    method: asked.method ?? '',
    path: (asked.url ?? '').split('?')[0] ?? '',
    request: Buffer.concat(sent).toString('utf8'),
    status: got.statusCode ?? 0,
    contentType: got.headers['content-type'] ?? '',
    text: Buffer.concat(received).toString('utf8'),
  }
}
