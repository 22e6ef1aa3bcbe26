/**
 * Maximum bytes of all replies that a process buffers at once. The largest replies contain images and have tens of
 * megabytes.
 */
const PROCESS_BYTES_MAX = 512 * 1024 * 1024
/** Maximum size of a reply that the budget does not count. Nearly all replies are smaller. */
export const UNCOUNTED_BYTES = 1024 * 1024

/** Limits the memory for buffered replies. Otherwise, an upstream with endless replies could exhaust the memory. */
export class ReplyBudget {
  private takenBytes = 0

  constructor(private readonly bytesMax: number) {}

  /** Returns the share of one reply, which starts empty. */
  open(): ReplyMemory {
    let takenByReply = 0
    return {
      covers: (bytes) => {
        if (bytes <= UNCOUNTED_BYTES || bytes <= takenByReply) return true
        if (this.takenBytes + bytes - takenByReply > this.bytesMax) return false
        this.takenBytes += bytes - takenByReply
        takenByReply = bytes
        return true
      },
      release: () => {
        this.takenBytes -= takenByReply
        takenByReply = 0
      },
    }
  }
}

export interface ReplyMemory {
  /** Takes memory for a reply of this size. Returns false and changes nothing if the budget has too little memory. */
  covers(bytes: number): boolean
  /** Releases the whole share. May be called more than once. */
  release(): void
}

export const replyBudget = new ReplyBudget(PROCESS_BYTES_MAX)

/** Runs `work` with a share of the budget. Releases the share when the work ends. */
export async function withReplyMemory<T>(work: (share: ReplyMemory) => Promise<T>): Promise<T> {
  const share = replyBudget.open()
  try {
    return await work(share)
  } finally {
    share.release()
  }
}
