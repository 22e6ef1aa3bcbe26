import { GatewayError } from '../../../core/errors.ts'

/** Maximum numbers of uploads at once, per user and in total. */
interface UploadLimits {
  readonly ofUser: number
  readonly inAll: number
}

const LIMITS: UploadLimits = { ofUser: 8, inAll: 64 }

/** Limits the uploads that are on disk or still arriving, so that clients cannot fill the disk. */
export class UploadSlots {
  private readonly byUser = new Map<number, number>()
  private total = 0

  constructor(private readonly limits: UploadLimits = LIMITS) {}

  /**
   * Takes a slot for a user. Throws RATE_LIMITED if there is none. Returns a function that releases the slot. Only its
   * first call has an effect.
   */
  acquire(userId: number): () => void {
    const userUploads = this.byUser.get(userId) ?? 0
    if (userUploads >= this.limits.ofUser || this.total >= this.limits.inAll) throw new GatewayError('RATE_LIMITED')
    this.byUser.set(userId, userUploads + 1)
    this.total += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.release(userId)
    }
  }

  private release(userId: number): void {
    const userUploads = (this.byUser.get(userId) ?? 1) - 1
    if (userUploads) this.byUser.set(userId, userUploads)
    else this.byUser.delete(userId)
    this.total -= 1
  }
}
