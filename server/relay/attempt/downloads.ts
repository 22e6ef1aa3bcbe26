import { GatewayError } from '../../../core/errors.ts'

const AT_ONCE_MAX = 4
const MEGABYTE = 1024 * 1024

interface Downloaded {
  readonly data: Buffer
  readonly mime: string
}

/** Files that one request names, for all of its attempts: each is downloaded once, and few at a time. */
export class Downloads {
  /** Absent until one is named: most requests name none. */
  private files: Map<string, Promise<Downloaded>> | undefined
  private readonly waiting: (() => void)[] = []
  private running = 0

  /** Rejects as `load` does; what has failed may be tried again. */
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

/** The bytes that the files of one request may have in it, each as often as the request has it. */
export class Allowance {
  private spent = 0

  constructor(private readonly bytesMax: number) {}

  /** Throws MEDIA_REFUSED when these are too many. 0: whether all was too much already. */
  spend(bytes: number): void {
    this.spent += bytes
    if (this.spent <= this.bytesMax) return
    const reason = `the files of one request are larger than ${Math.floor(this.bytesMax / MEGABYTE)} MB together`
    throw new GatewayError('MEDIA_REFUSED', { reason })
  }
}
