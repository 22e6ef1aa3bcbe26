import type { EventEmitter } from 'node:events'

/** Maximum number of parallel downloads. Memory buffers each one, and clients need no key to start many. */
const AT_ONCE = 16
/** Maximum number of parallel downloads from one host. A slow host must not block others. */
const AT_ONCE_OF_HOST = 4
const CLIENTS_MAX = 512
const CLIENTS_OF_HOST_MAX = 64
/** Maximum time that a download waits in the queue. */
const WAIT_MAX_MS = 15_000

interface Downloaded {
  readonly data: Buffer
  readonly mime: string
}

/** The queue is full, or a download waited too long. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

interface Picture {
  readonly key: string
  readonly host: string
  readonly load: (signal: AbortSignal) => Promise<Downloaded>
  readonly ending: AbortController
  readonly done: Deferred<Downloaded>
  readonly patience: NodeJS.Timeout
  clients: number
}

/**
 * Downloads images for clients that may be anonymous. Downloads an image only once at a time, and limits the number of
 * downloads per host and in all.
 */
export class PictureDownloads {
  private readonly pictures = new Map<string, Picture>()
  private waiting: Picture[] = []
  private readonly running = new Map<string, number>()
  private readonly clients = new Map<string, number>()

  /**
   * Returns the image with a key. Calls `load` if no download of this image is queued or running.
   *
   * The signal aborts when no client waits for the image any more. Rejects with the error of `load`, with a BusyError,
   * or when the client disconnects.
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
      return await Promise.race([picture.done.promise, disconnected])
    } finally {
      count(this.clients, host, -1)
      picture.clients -= 1
      if (picture.clients === 0) this.end(picture)
    }
  }

  private add(key: string, host: string, load: Picture['load']): Picture {
    const done = deferred<Downloaded>()
    // The waiting clients get the error. If there are none, it would be an unhandled rejection.
    done.promise.catch(() => {})
    const giveUp = () => {
      done.reject(new BusyError())
      this.end(picture)
    }
    const patience = setTimeout(giveUp, WAIT_MAX_MS)
    const picture: Picture = { key, host, load, ending: new AbortController(), done, patience, clients: 0 }
    this.pictures.set(key, picture)
    this.waiting.push(picture)
    this.next()
    return picture
  }

  private next(): void {
    for (const picture of [...this.waiting]) {
      if (sum(this.running) >= AT_ONCE) return
      if ((this.running.get(picture.host) ?? 0) < AT_ONCE_OF_HOST) void this.download(picture)
    }
  }

  private async download(picture: Picture): Promise<void> {
    const { host, load, ending, done } = picture
    this.leaveQueue(picture)
    count(this.running, host, 1)
    try {
      done.resolve(await load(ending.signal))
    } catch (error) {
      done.reject(error)
    } finally {
      count(this.running, host, -1)
      this.end(picture)
      this.next()
    }
  }

  private end(picture: Picture): void {
    this.leaveQueue(picture)
    picture.ending.abort()
    if (this.pictures.get(picture.key) === picture) this.pictures.delete(picture.key)
  }

  private leaveQueue(picture: Picture): void {
    clearTimeout(picture.patience)
    this.waiting = this.waiting.filter((other) => other !== picture)
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const sum = (counts.get(name) ?? 0) + by
  if (sum === 0) counts.delete(name)
  else counts.set(name, sum)
}

/** Returns the sum of all counts. There are so few hosts that this is fast. */
function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const each of counts.values()) total += each
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
