import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Dispatcher, errors } from 'undici'
import { type ReplyMemory, replyBudget, UNCOUNTED_BYTES } from './reply-budget.ts'

/** Maximum bytes that wait for a slow client. If more bytes wait, the upstream is paused. */
const WAITING_BYTES_MAX = 256 * 1024
/** Approximate maximum bytes per read. While the gateway processes these bytes, other relays wait. */
const READ_BYTES_MAX = 64 * 1024
/** Maximum time in ms that the process works on one reply before other work runs. */
const SLICE_MS = 10

/** A reader returns this value if it wants no more data. */
export const STOP = 'stop'
type Stop = typeof STOP
/** The result of a reader of a body: STOP if the reader wants no more data, undefined if it wants more. */
export type Flow = Stop | undefined | Promise<Stop | undefined>

/** The status and headers of an upstream's reply, and its body, which is still arriving. */
export interface UpstreamReply {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: UpstreamBody
}

/** A body that is still arriving: a queue of chunks. Pauses the upstream if the queue is too long. */
export class UpstreamBody implements AsyncIterable<Buffer> {
  controller: Dispatcher.DispatchController | undefined
  aborted = false
  private chunks: Buffer[] = []
  private waitingBytes = 0
  private ended = false
  private failure: Error | undefined
  private wake: (() => void) | undefined
  /** Time of the last break, in which other work could run. Undefined before the first read. */
  private lastBreakAt: number | undefined

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
   * Returns the chunks that have arrived, joined, up to about `READ_BYTES_MAX`. Returns undefined at the end. Rejects
   * with the exchange's error.
   */
  async read(): Promise<Buffer | undefined> {
    if (this.chunks.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
      this.lastBreakAt = performance.now()
    } else if (this.lastBreakAt === undefined) {
      this.lastBreakAt = performance.now()
    } else if (performance.now() - this.lastBreakAt > SLICE_MS) {
      // The reader has not waited for data for SLICE_MS, so let other work run.
      await nextTurn()
      this.lastBreakAt = performance.now()
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

  /** Reads the whole body. If the body exceeds `bytesMax` or the remaining `budget`, ends the exchange and rejects. */
  whole(bytesMax: number, budget = replyBudget): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.collect(bytesMax, (error, bytes) => (bytes ? resolve(bytes) : reject(error)), budget)
    })
  }

  /** Reads the whole body as `whole` does. Calls `done` once, with an error or the bytes. */
  collect(bytesMax: number, done: (error: unknown, bytes?: Buffer) => void, budget = replyBudget): void {
    /** The reply's share of the budget. Undefined for a small reply. */
    let share: ReplyMemory | undefined
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
      // Resume a paused upstream, because a collected body may be larger than `WAITING_BYTES_MAX`.
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
   * Passes the chunks to `take`, joined, in the tick in which they arrive. Waits for a promise that `take` returns.
   *
   * Resolves with STOP if `take` returned it, or with undefined at the end. Rejects with the error of the exchange or
   * of `take`.
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
      const onTaken = (result: Stop | undefined) => {
        isWaiting = false
        if (result === STOP) end(resolve, STOP)
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
          const result = take(this.take())
          if (result === STOP) return end(resolve, STOP)
          if (result) {
            isWaiting = true
            result.then(onTaken, fail)
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
