import { GatewayError } from '../../../core/errors.ts'

const AT_ONCE_MAX = 4
const MEGABYTE = 1024 * 1024

interface Downloaded {
  readonly data: Buffer
  readonly mime: string
}

/**
 * Downloads of the files that one request names. All attempts of the request share the downloads. At most `AT_ONCE_MAX`
 * downloads run at the same time.
 */
export class Downloads {
  /** Created on first use, because most requests name no files. */
  private files: Map<string, Promise<Downloaded>> | undefined
  private readonly waiting: (() => void)[] = []
  private running = 0

  /**
   * Returns a file. Calls `load` if the file was not loaded yet. If `load` rejects, `get` rejects, and a later call
   * loads again.
   */
  get(url: string, load: () => Promise<Downloaded>): Promise<Downloaded> {
    this.files ??= new Map()
    const { files } = this
    const existing = files.get(url)
    if (existing) return existing
    const file = this.inTurn(load)
    files.set(url, file)
    file.catch(() => files.delete(url))
    return file
  }

  private async inTurn(load: () => Promise<Downloaded>): Promise<Downloaded> {
    if (this.running < AT_ONCE_MAX) this.running += 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await load()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}

/** Counts the bytes of all files in one request against a limit. A file counts once for each use in the request. */
export class Allowance {
  private spent = 0

  constructor(private readonly bytesMax: number) {}

  /** Adds bytes to the total. Throws MEDIA_REFUSED above the limit. `spend(0)` only checks the total so far. */
  spend(bytes: number): void {
    this.spent += bytes
    if (this.spent <= this.bytesMax) return
    const reason = `the files of one request are larger than ${Math.floor(this.bytesMax / MEGABYTE)} MB together`
    throw new GatewayError('MEDIA_REFUSED', { reason })
  }
}
