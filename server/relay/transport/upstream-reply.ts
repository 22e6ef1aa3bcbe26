import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Dispatcher, errors } from 'undici'
import { type ReplyShare, replyBudget, UNCOUNTED_BYTES } from './reply-budget.ts'

/** Maximum bytes that wait for a slow client. If more wait, the upstream is paused. */
const WAITING_BYTES_MAX = 256 * 1024
/** Approximate maximum bytes per read, because processing them blocks other relays. */
const READ_BYTES_MAX = 64 * 1024
/** Time that an upstream that is faster than its reader may occupy the process without a break. */
const SLICE_MS = 10

/** A reader of a body returns this to get no more data. */
export const STOP = 'stop'
type Stop = typeof STOP
/** The result of a reader of a body: STOP to get no more data, undefined to get more. */
export type Flow = Stop | undefined | Promise<Stop | undefined>

/** The head of an upstream's reply; its body is still arriving. */
export interface UpstreamReply {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: UpstreamBody
}

/** A body as it arrives: a queue of chunks between the socket and the reader, with backpressure. */
export class UpstreamBody implements AsyncIterable<Buffer> {
  controller: Dispatcher.DispatchController | undefined
  aborted = false
  private chunks: Buffer[] = []
  private waitingBytes = 0
  private ended = false
  private failure: Error | undefined
  private wake: (() => void) | undefined
  /** Start of the current slice. Undefined until the first read. */
  private sliceSince: number | undefined

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

  /**
   * Returns the chunks that have arrived, joined, about `READ_BYTES_MAX` at most; undefined at the end. Rejects with the error of
   * the exchange.
   */
  async read(): Promise<Buffer | undefined> {
    if (this.chunks.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
      this.sliceSince = performance.now()
    } else if (this.sliceSince === undefined) {
      this.sliceSince = performance.now()
    } else if (performance.now() - this.sliceSince > SLICE_MS) {
      // The reader has not waited for data during the whole slice, so let other work run.
      await nextTurn()
      this.sliceSince = performance.now()
    }
    if (this.chunks.length === 0) {
      if (this.failure) throw this.failure
      return undefined
    }
    return this.take()
  }

  private take(): Buffer {
    let count = 0
    let size = 0
    while (count < this.chunks.length && size < READ_BYTES_MAX) size += this.chunks[count++]?.length ?? 0
    const taken = this.chunks.splice(0, count)
    const wasFull = this.waitingBytes > WAITING_BYTES_MAX
    this.waitingBytes -= size
    if (wasFull && this.waitingBytes <= WAITING_BYTES_MAX) this.controller?.resume()
    return taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken)
  }

  /** Reads the whole body. Rejects, and ends the exchange, if the body exceeds `bytesMax` or the remaining `budget`. */
  whole(bytesMax: number, budget = replyBudget): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.collect(bytesMax, (error, bytes) => (bytes ? resolve(bytes) : reject(error)), budget)
    })
  }

  /** Reads the whole body like `whole`. Calls `done` once, with the error or with the bytes. */
  collect(bytesMax: number, done: (error: unknown, bytes?: Buffer) => void, budget = replyBudget): void {
    /** The reply's share of the budget; only a large reply has one. */
    let share: ReplyShare | undefined
    const finish = (error: unknown, bytes?: Buffer) => {
      this.wake = undefined
      share?.release()
      done(error, bytes)
    }
    const fits = (): boolean => {
      if (this.waitingBytes > bytesMax) return false
      if (this.waitingBytes <= UNCOUNTED_BYTES) return true
      share ??= budget.open()
      return share.covers(this.waitingBytes)
    }
    const checkProgress = () => {
      if (!this.failure && !fits()) {
        this.chunks = []
        this.wake = undefined
        this.destroy()
        finish(new Error('The upstream reply is too large'))
        return
      }
      // Resume the upstream: no client delays the reading here.
      if (!this.ended) {
        if (this.controller?.paused) this.controller.resume()
        return
      }
      const { chunks, failure } = this
      this.chunks = []
      if (failure) finish(failure)
      else finish(undefined, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }
    this.wake = checkProgress
    checkProgress()
  }

  /**
   * Passes the chunks to `take`, joined, in the tick in which they arrive. `take` returns STOP to get no more chunks, or
   * undefined to get more. If it returns a promise, no chunks are passed until the promise resolves. Resolves with STOP after
   * `take` returned it, or with undefined at the end. Rejects with the error of the exchange or of `take`.
   */
  flow(take: (bytes: Buffer) => Flow): Promise<Stop | undefined> {
    return new Promise((resolve, reject) => {
      let isScheduled = false
      let isWaiting = false
      const schedule = () => {
        if (isScheduled || isWaiting) return
        isScheduled = true
        process.nextTick(turn)
      }
      const goOn = (after: Stop | undefined) => {
        isWaiting = false
        if (after === STOP) end(resolve, STOP)
        else schedule()
      }
      const fail = (reason: unknown) => end(reject, reason)
      const end = <Value>(settle: (value: Value) => void, value: Value) => {
        this.wake = undefined
        settle(value)
      }
      const turn = () => {
        isScheduled = false
        if (this.wake !== schedule) return
        if (this.chunks.length === 0) {
          if (this.failure) fail(this.failure)
          else if (this.ended) end(resolve, undefined)
          return
        }
        try {
          const taken = take(this.take())
          if (taken === STOP) return end(resolve, STOP)
          if (taken) {
            isWaiting = true
            taken.then(goOn, fail)
            return
          }
        } catch (error) {
          return fail(error)
        }
        // If the upstream is faster than its reader, let other relays run between two reads.
        if (this.chunks.length > 0) setImmediate(schedule)
        else if (this.ended) schedule()
      }
      this.wake = schedule
      turn()
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.read(); chunk; chunk = await this.read()) yield chunk
    } finally {
      this.destroy()
    }
  }

  /** Ends the exchange with the upstream, unless it has ended already. */
  destroy(): void {
    if (!this.ended) this.controller?.abort(new errors.RequestAbortedError())
  }
}
