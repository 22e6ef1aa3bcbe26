import { GatewayError } from '../../../core/errors.ts'

const AT_ONCE_MAX = 4
const MEGABYTE = 1024 * 1024

interface Downloaded {
  readonly data: Buffer
  readonly mime: string
}

/** The files that one request names, shared by all its attempts: each is downloaded once, and few at a time. */
export class Downloads {
  /** Created on first use, because most requests name no files. */
  private files: Map<string, Promise<Downloaded>> | undefined
  private readonly waiting: (() => void)[] = []
  private running = 0

  /** Rejects like `load`; a failed download may be retried. */
  get(url: string, load: () => Promise<Downloaded>): Promise<Downloaded> {
    this.files ??= new Map()
    const { files } = this
    const known = files.get(url)
    if (known) return known
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

/** Byte limit for all files in one request; a file counts as often as it is used. */
export class Allowance {
  private spent = 0

  constructor(private readonly bytesMax: number) {}

  /** Throws MEDIA_REFUSED if the total exceeds the limit. `spend(0)` only checks the total so far. */
  spend(bytes: number): void {
    this.spent += bytes
    if (this.spent <= this.bytesMax) return
    const reason = `the files of one request are larger than ${Math.floor(this.bytesMax / MEGABYTE)} MB together`
    throw new GatewayError('MEDIA_REFUSED', { reason })
  }
}
