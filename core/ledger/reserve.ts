import type { AccountKind } from './balances.ts'
import type { Want } from './want.ts'

/** A write of a reserve whose COMMIT reply was lost. */
interface UnknownOutcome {
  readonly act: 'reserve' | 'give-back'
  readonly operation: number
  readonly quota: number
  readonly nodeId: string
}

export interface Waiting {
  readonly want: Want
  resolve: (granted: number) => void
  reject: (reason: unknown) => void
}

/** The quota that this process has reserved of one balance (`size`), and the part that open holds use (`used`). */
export interface Reserve {
  readonly kind: AccountKind
  readonly id: number
  size: number
  used: number
  touchedMs: number
  waiting: Waiting[]
  /** A transaction is changing the row. Only one does at a time, so that the row's last operation shows the outcome. */
  busy: boolean
  /** The balance was edited, and the part of the reserve that no hold uses was not given back yet. */
  isEdited: boolean
  /**
   * The quota of holds that were taken of the reserve as it was before an edit of the balance. It is given back as they end, so that no
   * later hold gets it.
   */
  quotaBeforeEdit: number
  unknown: UnknownOutcome | undefined
}

export const newReserve = (kind: AccountKind, id: number): Reserve => ({
  kind,
  id,
  size: 0,
  used: 0,
  touchedMs: 0,
  waiting: [],
  busy: false,
  isEdited: false,
  quotaBeforeEdit: 0,
  unknown: undefined,
})

/** Takes a hold out of a reserve. */
export function use(account: Reserve, quota: number): void {
  account.used += quota
  if (account.isEdited) account.quotaBeforeEdit += quota
}

/** Whether open holds use more than is reserved: their epoch ended, and they are not covered again yet. */
export const isShort = ({ size, used }: Reserve): boolean => size < used
export const spareOf = ({ size, used }: Reserve): number => size - used

/** Another operation on the row would hide the outcome of the last one. */
export const canGiveBack = (account: Reserve): boolean => !account.busy && !account.unknown && spareOf(account) > 0
