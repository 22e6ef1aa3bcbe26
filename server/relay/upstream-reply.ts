import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'

/** What may wait here for a slow client before the upstream is asked to pause. */
const WAITING_BYTES_MAX = 256 * 1024

/** The head of an upstream's answer; its body is still arriving. */
export interface UpstreamReply {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: UpstreamBody
}

/** A body as it arrives: a queue of chunks between the socket and whoever reads, with backpressure. */
export class UpstreamBody implements AsyncIterable<Buffer> {
  controller: Dispatcher.DispatchController | undefined
  aborted = false
  private chunks: Buffer[] = []
  private waitingBytes = 0
  private ended = false
  private failure: Error | undefined
  private wake: (() => void) | undefined

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.waitingBytes += chunk.length
    if (this.waitingBytes > WAITING_BYTES_MAX) this.controller?.pause()
    this.wake?.()
  }

  end(failure: Error | undefined): void {
    this.ended = true
    this.failure = failure
    this.wake?.()
  }

  /** What has arrived since the last call, joined; undefined at the end. Throws what broke the exchange. */
  async read(): Promise<Buffer | undefined> {
    if (this.chunks.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
    if (this.chunks.length === 0) {
      if (this.failure) throw this.failure
      return undefined
    }
    const arrived = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks)
    this.chunks = []
    if (this.waitingBytes > WAITING_BYTES_MAX) this.controller?.resume()
    this.waitingBytes = 0
    return arrived
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.read(); chunk; chunk = await this.read()) yield chunk
    } finally {
      this.destroy()
    }
  }

  /** Ends the exchange, if it has not ended by itself. */
  destroy(): void {
    if (!this.ended) this.controller?.abort(new errors.RequestAbortedError())
  }
}
