import { GatewayError } from '../../core/errors.ts'
import { addressKey } from '../api/limits.ts'

/** How many bytes of request bodies one process receives at a time, decompressed: in all, from one address, of one user. */
export interface BodyLimits {
  readonly inAll: number
  readonly ofAddress: number
  readonly ofUser: number
}

/** By then, most bodies that are being received have arrived. */
const RETRY_AFTER_S = 1

/** Counts the bytes of bodies that are not complete yet, so that half-sent ones cannot fill the memory. */
export class BodyBudget {
  private all = 0
  private readonly byOwner = new Map<string, number>()

  constructor(private readonly limits: BodyLimits) {}

  /** The share of one body. `userId`: 0 if the sender is unknown. */
  open({ address, userId }: { address: string; userId: number }): BodyShare {
    return new BodyShare(this, addressKey(address), userId === 0 ? '' : `user ${userId}`)
  }

  /** Throws BODIES_LIMITED, BODIES_FULL; then nothing was added. */
  add(share: BodyShare, bytes: number): void {
    const { address, user } = share
    const ofAddress = (this.byOwner.get(address) ?? 0) + bytes
    const ofUser = user === '' ? 0 : (this.byOwner.get(user) ?? 0) + bytes
    if (ofUser > this.limits.ofUser) throw limited('BODIES_LIMITED', this.limits.ofUser)
    if (ofAddress > this.limits.ofAddress) throw limited('BODIES_LIMITED', this.limits.ofAddress)
    if (this.all + bytes > this.limits.inAll) throw limited('BODIES_FULL', this.limits.inAll)
    this.all += bytes
    this.byOwner.set(address, ofAddress)
    if (user !== '') this.byOwner.set(user, ofUser)
  }

  remove({ address, user, bytes }: BodyShare): void {
    this.all -= bytes
    for (const owner of user === '' ? [address] : [address, user]) {
      const rest = (this.byOwner.get(owner) ?? 0) - bytes
      if (rest > 0) this.byOwner.set(owner, rest)
      else this.byOwner.delete(owner)
    }
  }
}

/** What one body has of the budget. */
export class BodyShare {
  bytes = 0

  constructor(
    private readonly budget: BodyBudget,
    readonly address: string,
    readonly user: string,
  ) {}

  /** Throws BODIES_LIMITED, BODIES_FULL. */
  add(bytes: number): void {
    this.budget.add(this, bytes)
    this.bytes += bytes
  }

  /** Gives all of it back. May be called more than once. */
  release(): void {
    if (this.bytes > 0) this.budget.remove(this)
    this.bytes = 0
  }
}

function limited(code: 'BODIES_LIMITED' | 'BODIES_FULL', max: number): GatewayError {
  return new GatewayError(code, { max, seconds: RETRY_AFTER_S })
}
