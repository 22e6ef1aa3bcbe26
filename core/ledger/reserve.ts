import type { AccountKind } from './balances.ts'
import type { Want } from './want.ts'

/** A change of a reserve whose outcome is unknown, because the reply to its COMMIT was lost. */
interface UnknownOutcome {
  readonly act: 'reserve' | 'give-back'
  readonly operation: number
  /** Undefined if only the database knows the quota. */
  readonly quota: number | undefined
  readonly nodeId: string
}

/** A request that waits for quota of a reserve. */
export interface ReserveWaiter {
  readonly want: Want
  resolve: (granted: number) => void
  reject: (reason: unknown) => void
}

/** The reserve of this process in one balance. */
export interface Reserve {
  readonly kind: AccountKind
  readonly id: number
  /** The quota that this process has reserved. */
  size: number
  /** The quota of open holds. */
  used: number
  /** The free quota of the balance after the last transaction. Infinity before the first one. */
  lastFree: number
  /** When a request last used the reserve, in milliseconds of the monotonic clock. */
  touchedMs: number
  waiting: ReserveWaiter[]
  /** Whether a transaction is changing the row. Only one may run, so that `operation` shows the last outcome. */
  busy: boolean
  /** Whether the balance was edited and the unused part of the reserve was not given back yet. */
  isEdited: boolean
  /** Quota of open holds from before the last edit. At their end, it goes back to the row, not to later holds. */
  quotaBeforeEdit: number
  /** The last change, if its outcome is unknown. */
  unknown: UnknownOutcome | undefined
}

export const newReserve = (kind: AccountKind, id: number): Reserve => ({
  kind,
  id,
  size: 0,
  used: 0,
  lastFree: Number.POSITIVE_INFINITY,
  touchedMs: 0,
  waiting: [],
  busy: false,
  isEdited: false,
  quotaBeforeEdit: 0,
  unknown: undefined,
})

/** Takes the quota of a hold from a reserve. */
export function takeFrom(reserve: Reserve, quota: number): void {
  reserve.used += quota
  if (reserve.isEdited) reserve.quotaBeforeEdit += quota
}

/** Returns whether open holds use more than is reserved. Normal until a new epoch reserves their quota again. */
export const isShort = ({ size, used }: Reserve): boolean => size < used
export const spareOf = ({ size, used }: Reserve): number => size - used

/** Returns whether there is quota to give back and the row may change. A change would hide an unknown outcome. */
export const canGiveBack = (reserve: Reserve): boolean => !reserve.busy && !reserve.unknown && spareOf(reserve) > 0
