/** Maximum bytes of all replies that a process buffers at once. The largest replies are images, with some ten megabytes. */
const ALL_BYTES_MAX = 512 * 1024 * 1024
/** Maximum bytes of a reply that is not counted. Nearly all replies are much smaller. */
export const UNCOUNTED_BYTES = 1024 * 1024

/** Limits the memory for buffered replies, so that an upstream with endless replies to many requests cannot fill it. */
export class ReplyBudget {
  private all = 0

  constructor(private readonly bytesMax: number) {}

  /** Opens the share of one reply. */
  open(): ReplyShare {
    let taken = 0
    return {
      covers: (bytes) => {
        if (bytes <= UNCOUNTED_BYTES || bytes <= taken) return true
        if (this.all + bytes - taken > this.bytesMax) return false
        this.all += bytes - taken
        taken = bytes
        return true
      },
      release: () => {
        this.all -= taken
        taken = 0
      },
    }
  }
}

export interface ReplyShare {
  /** Takes memory for a reply of this size. Returns false if the budget does not have it; the reply keeps what it has taken. */
  covers(bytes: number): boolean
  /** Releases the whole share. May be called more than once. */
  release(): void
}

/** The budget of this process. */
export const replyBudget = new ReplyBudget(ALL_BYTES_MAX)

/** Runs `work` with a share of the budget. Releases the share when the work ends. */
export async function withShare<T>(work: (share: ReplyShare) => Promise<T>): Promise<T> {
  const share = replyBudget.open()
  try {
    return await work(share)
  } finally {
    share.release()
  }
}
