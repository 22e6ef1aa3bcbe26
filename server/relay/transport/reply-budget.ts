/**
 * Maximum bytes of all replies that a process buffers at once. The largest replies are images, with several ten
 * megabytes.
 */
const ALL_BYTES_MAX = 512 * 1024 * 1024
/** Maximum size of a reply that the budget does not count. Nearly all replies are smaller. */
export const UNCOUNTED_BYTES = 1024 * 1024

/** Limits the memory for buffered replies. Otherwise, an upstream with endless replies could exhaust it. */
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
  /** Takes memory for a reply of this size. Returns false if the budget has too little, without changing the share. */
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
