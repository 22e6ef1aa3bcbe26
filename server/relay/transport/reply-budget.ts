/** Bytes of replies that one process collects at a time, all together. Pictures are the largest, of some ten megabytes. */
const ALL_BYTES_MAX = 512 * 1024 * 1024
/** A reply up to here is not counted: nearly all are much smaller. */
export const UNCOUNTED_BYTES = 1024 * 1024

/**
 * Counts the bytes of replies that are collected as a whole, so that an upstream whose replies never end cannot fill the memory by
 * answering many requests at once.
 */
export class ReplyBudget {
  private all = 0

  constructor(private readonly bytesMax: number) {}

  /** The share of one reply. */
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
  /** Takes what a reply of so many bytes needs. False: there is not as much; what it has stays. */
  covers(bytes: number): boolean
  /** Gives all of it back. May be called more than once. */
  release(): void
}

/** The budget of this process. */
export const replyBudget = new ReplyBudget(ALL_BYTES_MAX)

/** Does the work with a share of the budget, which is given back when it ends. */
export async function withShare<T>(work: (share: ReplyShare) => Promise<T>): Promise<T> {
  const share = replyBudget.open()
  try {
    return await work(share)
  } finally {
    share.release()
  }
}
