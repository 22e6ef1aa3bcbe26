import type { Order, PaymentCallback } from '../../core/wallet/schema.ts'
import type { Column } from '../output/column.ts'

/** A user's balance, in quota. */
interface Balance {
  quota: number
  used_quota: number
  request_count: number
  /** Invite earnings that are not transferred to the balance yet. */
  invite_quota: number
}

export const BALANCE_COLUMNS: readonly Column<Balance>[] = [
  { name: 'quota-left', value: (balance, { quota }) => quota(balance.quota) },
  { name: 'used', value: ({ used_quota }, { quota }) => quota(used_quota) },
  { name: 'requests', value: ({ request_count }) => String(request_count) },
  { name: 'invite-earnings', value: ({ invite_quota }, { quota }) => quota(invite_quota) },
]

export const ORDER_COLUMNS: readonly Column<Order>[] = [
  { name: 'id', value: ({ id }) => String(id), align: 'right' },
  { name: 'order', value: ({ trade_no }) => trade_no },
  { name: 'user', value: ({ user_id, username }) => username || String(user_id) },
  { name: 'quota', value: (order, { quota }) => quota(order.quota), align: 'right' },
  { name: 'to-pay', value: ({ money }) => money.toFixed(2), align: 'right' },
  { name: 'method', value: ({ payment_method }) => payment_method || '-' },
  {
    name: 'status',
    value: ({ status }, { label, t }) => (status === 'pending' ? t('wallet.unpaidOrder') : label(status)),
    tone: ({ status }) => (status === 'success' ? 'good' : 'faint'),
  },
  { name: 'ordered', value: ({ create_time }, { time }) => time(create_time) },
  { name: 'paid', value: ({ complete_time }, { time }) => time(complete_time) },
]

export const CALLBACK_COLUMNS: readonly Column<PaymentCallback>[] = [
  { name: 'id', value: ({ id }) => String(id), align: 'right' },
  { name: 'order', value: ({ trade_no }) => trade_no || '-' },
  {
    name: 'verdict',
    value: ({ verdict }, { label }) => label(verdict),
    tone: ({ verdict }) => (verdict === 'credited' ? 'good' : verdict === 'failed' ? 'bad' : 'faint'),
  },
  { name: 'reason', value: ({ reason }) => reason || '-' },
  { name: 'from', value: ({ ip }) => ip || '-' },
  { name: 'replay-of', value: ({ replay_of }) => (replay_of ? String(replay_of) : '-'), align: 'right' },
  { name: 'by-user', value: ({ actor_id }) => (actor_id ? String(actor_id) : '-'), align: 'right' },
  { name: 'came', value: ({ created_at }, { time }) => time(created_at) },
]
