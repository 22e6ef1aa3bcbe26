import { GatewayError } from '../../../core/errors.ts'

/** Maximum number of uploads on disk at once. */
export interface SpoolLimits {
  readonly ofUser: number
  readonly inAll: number
}

const LIMITS: SpoolLimits = { ofUser: 8, inAll: 64 }

/** Counts the uploads on disk, or being stored, so that no client can fill the disk. */
export class UploadSlots {
  private readonly byUser = new Map<number, number>()
  private all = 0

  constructor(private readonly limits: SpoolLimits = LIMITS) {}

  /** Takes a slot for a user. Returns a function that releases it, which may be called repeatedly. Throws RATE_LIMITED. */
  acquire(userId: number): () => void {
    const own = this.byUser.get(userId) ?? 0
    if (own >= this.limits.ofUser || this.all >= this.limits.inAll) throw new GatewayError('RATE_LIMITED')
    this.byUser.set(userId, own + 1)
    this.all += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.leave(userId)
    }
  }

  private leave(userId: number): void {
    const own = (this.byUser.get(userId) ?? 1) - 1
    if (own) this.byUser.set(userId, own)
    else this.byUser.delete(userId)
    this.all -= 1
  }
}
