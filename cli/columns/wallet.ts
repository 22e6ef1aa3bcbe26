import type { Order, PaymentCallback } from '../../core/wallet/schema.ts'
import type { Column } from '../output/column.ts'

/** A user's balance, in quota. */
export interface Balance {
  quota: number
  used_quota: number
  request_count: number
  /** Invite earnings not yet transferred to the balance. */
  invite_quota: number
}

export const BALANCE_COLUMNS: readonly Column<Balance>[] = [
  { title: 'quota left', value: (balance, { quota }) => quota(balance.quota) },
  { title: 'used', value: ({ used_quota }, { quota }) => quota(used_quota) },
  { title: 'requests', value: ({ request_count }) => String(request_count) },
  { title: 'invite earnings', value: ({ invite_quota }, { quota }) => quota(invite_quota) },
]

export const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'order', value: ({ trade_no }) => trade_no },
  { title: 'user', value: ({ user_id, username }) => username || String(user_id) },
  { title: 'quota', value: (order, { quota }) => quota(order.quota), align: 'right' },
  { title: 'to pay', value: ({ money }) => money.toFixed(2), align: 'right' },
  { title: 'method', value: ({ payment_method }) => payment_method || '-' },
  {
    title: 'status',
    value: ({ status }, { text }) => text(status),
    tone: ({ status }) => (status === 'success' ? 'good' : 'faint'),
  },
  { title: 'ordered', value: ({ create_time }, { time }) => time(create_time) },
  { title: 'paid', value: ({ complete_time }, { time }) => time(complete_time) },
]

export const CALLBACK_COLUMNS: readonly Column<PaymentCallback>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'order', value: ({ trade_no }) => trade_no || '-' },
  {
    title: 'verdict',
    value: ({ verdict }, { text }) => text(verdict),
    tone: ({ verdict }) => (verdict === 'credited' ? 'good' : verdict === 'failed' ? 'bad' : 'faint'),
  },
  { title: 'reason', value: ({ reason }) => reason || '-' },
  { title: 'from', value: ({ ip }) => ip || '-' },
  { title: 'replay of', value: ({ replay_of }) => (replay_of ? String(replay_of) : '-'), align: 'right' },
  { title: 'by user', value: ({ actor_id }) => (actor_id ? String(actor_id) : '-'), align: 'right' },
  { title: 'came', value: ({ created_at }, { time }) => time(created_at) },
]
