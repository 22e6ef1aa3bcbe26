import { REDEMPTION_STATUS } from '../../redemption/status.ts'
import { deletedAt, ID, QUOTA_BOUNDS, TIME } from '../values.ts'
import { type MapContext, type Mapping, mapWith } from './mapper.ts'

const STATUSES: ReadonlySet<number> = new Set(Object.values(REDEMPTION_STATUS))

export const REDEMPTION_SOURCE_COLUMNS = [
  ...['id', 'user_id', 'key', 'status', 'name', 'quota', 'created_time', 'redeemed_time', 'used_user_id', 'deleted_at'],
  // The source program has this field only in requests, and stores no value.
  'count',
]
export const TOP_UP_SOURCE_COLUMNS = [
  ...['id', 'user_id', 'amount', 'money', 'trade_no', 'create_time', 'status', 'payment_method', 'complete_time'],
]

/** Maps a redemption code. A used code credits nothing, because the imported balances include its quota. */
export function mapRedemption(row: Readonly<Record<string, unknown>>, { target }: MapContext): Mapping {
  return mapWith(row, ({ text, integer, raw }, change) => {
    const key = text('key', { max: 64 }).trim()
    if (key === '') return 'it has no code'
    const status = integer('status', { otherwise: REDEMPTION_STATUS.unused })
    if (!STATUSES.has(status)) change(`status ${status} does not exist: disabled instead`)
    const quota = integer('quota', { ...QUOTA_BOUNDS, otherwise: 100 })
    const isWorthless = quota <= 0 && status === REDEMPTION_STATUS.unused
    if (isWorthless) change(`it is worth ${quota}: disabled`)
    return {
      fields: {
        user_id: target('users', integer('user_id', ID)) ?? 0,
        key,
        status: STATUSES.has(status) && !isWorthless ? status : REDEMPTION_STATUS.disabled,
        name: text('name', { max: 255 }),
        quota,
        created_time: integer('created_time', TIME),
        redeemed_time: integer('redeemed_time', TIME),
        used_user_id: target('users', integer('used_user_id', ID)) ?? 0,
        deleted_at: deletedAt(raw('deleted_at')),
      },
      quota: 0,
      // 1 marks a code that was used at the source. The ledger has no entry for it.
      used: status === REDEMPTION_STATUS.used ? 1 : 0,
    }
  })
}

/**
 * Maps an order. An order that was paid at the source gets the quota 0, because the imported balances include its
 * quota. A pending order is credited by this gateway when it is paid.
 */
export function mapTopUp(row: Readonly<Record<string, unknown>>, { target, quotaPerUnit }: MapContext): Mapping {
  return mapWith(row, ({ text, integer, raw }) => {
    const owner = integer('user_id', ID)
    const user_id = target('users', owner)
    if (user_id === undefined) return `its user ${owner} does not exist`
    const trade_no = text('trade_no', { max: 255 }).trim()
    if (trade_no === '') return 'it has no order number'
    const amount = integer('amount', QUOTA_BOUNDS)
    const status = text('status', { max: 20, otherwise: 'pending' })
    return {
      fields: {
        user_id,
        amount,
        money: Number(raw('money') ?? 0) || 0,
        trade_no,
        create_time: integer('create_time', TIME),
        status,
        payment_method: text('payment_method', { max: 20 }),
        complete_time: integer('complete_time', TIME),
        quota: status === 'pending' ? Math.min(Math.max(0, Math.trunc(amount * quotaPerUnit)), QUOTA_BOUNDS.max) : 0,
      },
      quota: 0,
      used: 0,
    }
  })
}
