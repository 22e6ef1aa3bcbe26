import type { EventEmitter } from 'node:events'

/** Maximum number of parallel downloads, because each is in memory, and clients need no key for them. */
const AT_ONCE = 16
/** Maximum number of parallel downloads from one host, so that a slow host does not block others. */
const AT_ONCE_OF_HOST = 4
/** Maximum numbers of waiting clients, in total and for images of one host. */
const CLIENTS_MAX = 512
const CLIENTS_OF_HOST_MAX = 64
/** Maximum time that a download waits in the queue. */
const WAIT_MAX_MS = 15_000

interface Downloaded {
  readonly data: Buffer
  readonly mime: string
}

/** The error if the queue is full, or if a download waited too long. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

interface Picture {
  readonly key: string
  readonly host: string
  readonly load: (signal: AbortSignal) => Promise<Downloaded>
  readonly aborter: AbortController
  readonly result: Deferred<Downloaded>
  readonly waitTimer: NodeJS.Timeout
  clients: number
}

/**
 * Downloads images for clients that may be anonymous. Limits the number of downloads per host and in total. Clients
 * that request the same image at the same time share one download.
 */
export class PictureDownloads {
  private readonly pictures = new Map<string, Picture>()
  private queue: Picture[] = []
  private readonly running = new Map<string, number>()
  private readonly clients = new Map<string, number>()

  /**
   * Returns the image with a key. Calls `load` if no download of this image is queued or running. Aborts the signal of
   * `load` when no client waits for the image anymore. Rejects with the error of `load` or a BusyError, and when
   * `leaving` emits `abort`.
   */
  async get(
    { key, host, leaving }: { key: string; host: string; leaving: EventEmitter },
    load: Picture['load'],
  ): Promise<Downloaded> {
    if (sum(this.clients) >= CLIENTS_MAX || (this.clients.get(host) ?? 0) >= CLIENTS_OF_HOST_MAX) throw new BusyError()
    const picture = this.pictures.get(key) ?? this.add(key, host, load)
    const disconnected = new Promise<never>((_, reject) =>
      leaving.once('abort', () => reject(new Error('The client left'))),
    )
    count(this.clients, host, 1)
    picture.clients += 1
    try {
      return await Promise.race([picture.result.promise, disconnected])
    } finally {
      count(this.clients, host, -1)
      picture.clients -= 1
      if (picture.clients === 0) this.end(picture)
    }
  }

  private add(key: string, host: string, load: Picture['load']): Picture {
    const result = deferred<Downloaded>()
    // If no client waits for the image, an error would be an unhandled rejection.
    result.promise.catch(() => {})
    const giveUp = () => {
      result.reject(new BusyError())
      this.end(picture)
    }
    const waitTimer = setTimeout(giveUp, WAIT_MAX_MS)
    const picture: Picture = { key, host, load, aborter: new AbortController(), result, waitTimer, clients: 0 }
    this.pictures.set(key, picture)
    this.queue.push(picture)
    this.next()
    return picture
  }

  /** Starts queued downloads up to the limits. */
  private next(): void {
    for (const picture of [...this.queue]) {
      if (sum(this.running) >= AT_ONCE) return
      if ((this.running.get(picture.host) ?? 0) < AT_ONCE_OF_HOST) void this.download(picture)
    }
  }

  private async download(picture: Picture): Promise<void> {
    const { host, load, aborter, result } = picture
    this.leaveQueue(picture)
    count(this.running, host, 1)
    try {
      result.resolve(await load(aborter.signal))
    } catch (error) {
      result.reject(error)
    } finally {
      count(this.running, host, -1)
      this.end(picture)
      this.next()
    }
  }

  private end(picture: Picture): void {
    this.leaveQueue(picture)
    picture.aborter.abort()
    if (this.pictures.get(picture.key) === picture) this.pictures.delete(picture.key)
  }

  private leaveQueue(picture: Picture): void {
    clearTimeout(picture.waitTimer)
    this.queue = this.queue.filter((other) => other !== picture)
  }
}

function count(counts: Map<string, number>, name: string, change: number): void {
  const sum = (counts.get(name) ?? 0) + change
  if (sum === 0) counts.delete(name)
  else counts.set(name, sum)
}

/** Returns the sum of all counts. This is fast, because there are few hosts. */
function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const value of counts.values()) total += value
  return total
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
