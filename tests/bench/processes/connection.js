import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'
const LENGTH = 'content-length: '
const STATUS_AT = 'HTTP/1.1 '.length
const CLOSED = 'The connection was closed'

/**
 * One connection that repeats one request. It reads only the status and the length of a reply. So the cost of the load
 * does not depend on the other headers of the target.
 */
export class Connection {
  /** @type {import('node:net').Socket} */
  socket
  received = Buffer.alloc(0)
  /** @type {((status: number) => void) | undefined} */
  answered
  /** @type {((error: Error) => void) | undefined} */
  failed

  /** @param {{ url: string, request: Buffer, address: string }} options `address`: the client's */
  constructor({ url, request, address }) {
    const { hostname, port } = new URL(url)
    this.request = request
    this.socket = connect({ host: hostname, port: Number(port), localAddress: address, noDelay: true })
    this.socket.on('data', (bytes) => this.read(bytes))
    this.socket.on('error', () => {})
    this.socket.on('close', () => this.failed?.(new Error(CLOSED)))
  }

  /** Sends the request, and returns the status. Rejects if the connection is closed. @returns {Promise<number>} */
  send() {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(new Error(CLOSED))
      this.answered = resolve
      this.failed = reject
      this.socket.write(this.request)
    })
  }

  close() {
    this.socket.destroy()
  }

  /** @param {Buffer} bytes */
  read(bytes) {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes])
    const headBytes = this.received.indexOf(HEAD_END)
    if (headBytes === -1) return
    const lengthAt = this.received.indexOf(LENGTH)
    if (lengthAt === -1 || lengthAt > headBytes) return this.close()
    const bodyBytes = Number.parseInt(this.received.latin1Slice(lengthAt + LENGTH.length, headBytes), 10)
    const replyBytes = headBytes + HEAD_END.length + bodyBytes
    if (this.received.length < replyBytes) return
    if (this.received.length !== replyBytes) return this.close()
    const status = Number(this.received.latin1Slice(STATUS_AT, STATUS_AT + 3))
    this.received = Buffer.alloc(0)
    this.answered?.(status)
  }
}

/** Returns the bytes of a chat request. @param {{ url: string, key: string, body: object }} options */
export function chatRequest({ url, key, body }) {
  const text = Buffer.from(JSON.stringify(body))
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
  ]
  return Buffer.concat([Buffer.from(lines.join('\r\n') + HEAD_END), text])
}
