import { GatewayError } from '../../core/errors.ts'
import { addressKey } from '../api/limits.ts'

/** Maximum numbers of decompressed bytes of incomplete request bodies, of this process, an address and a user. */
interface BodyLimits {
  readonly inAll: number
  readonly ofAddress: number
  readonly ofUser: number
}

/** Retry-After in seconds. Within this time, most of the incomplete bodies arrive. */
const RETRY_AFTER_S = 1

/** Counts the bytes of incomplete bodies, so that many unfinished requests cannot exhaust the memory. */
export class BodyBudget {
  private totalBytes = 0
  private readonly byOwner = new Map<string, number>()

  constructor(private readonly limits: BodyLimits) {}

  /** Returns a counter for the bytes of one body. `userId` is 0 for an unknown sender. */
  open({ address, userId }: { address: string; userId: number }): BodyBytes {
    return new BodyBytes(this, addressKey(address), userId === 0 ? '' : `user ${userId}`)
  }

  /** Counts bytes of a body. If a limit would be exceeded, counts nothing and throws BODIES_LIMITED or BODIES_FULL. */
  add(body: BodyBytes, bytes: number): void {
    const { address, user } = body
    const ofAddress = (this.byOwner.get(address) ?? 0) + bytes
    const ofUser = user === '' ? 0 : (this.byOwner.get(user) ?? 0) + bytes
    if (ofUser > this.limits.ofUser) throw limitError('BODIES_LIMITED', this.limits.ofUser)
    if (ofAddress > this.limits.ofAddress) throw limitError('BODIES_LIMITED', this.limits.ofAddress)
    if (this.totalBytes + bytes > this.limits.inAll) throw limitError('BODIES_FULL', this.limits.inAll)
    this.totalBytes += bytes
    this.byOwner.set(address, ofAddress)
    if (user !== '') this.byOwner.set(user, ofUser)
  }

  remove({ address, user, bytes }: BodyBytes): void {
    this.totalBytes -= bytes
    for (const owner of user === '' ? [address] : [address, user]) {
      const remainingBytes = (this.byOwner.get(owner) ?? 0) - bytes
      if (remainingBytes > 0) this.byOwner.set(owner, remainingBytes)
      else this.byOwner.delete(owner)
    }
  }
}

/** The bytes that one body takes from the budget. */
export class BodyBytes {
  bytes = 0

  constructor(
    private readonly budget: BodyBudget,
    readonly address: string,
    readonly user: string,
  ) {}

  /** Counts received bytes. Throws BODIES_LIMITED, BODIES_FULL. */
  add(bytes: number): void {
    this.budget.add(this, bytes)
    this.bytes += bytes
  }

  /** Returns the bytes to the budget. A repeated call has no effect. */
  release(): void {
    if (this.bytes > 0) this.budget.remove(this)
    this.bytes = 0
  }
}

function limitError(code: 'BODIES_LIMITED' | 'BODIES_FULL', max: number): GatewayError {
  return new GatewayError(code, { max, seconds: RETRY_AFTER_S })
}
