import type { Knex } from 'knex'
import { CHANNEL_STATUS } from '../channel.ts'
import { recordChannelEvents } from './events.ts'

/** Records new statuses of channels in their histories, in the transaction of the change. `now` is in Unix seconds. */
export async function recordStatusChange(
  trx: Knex.Transaction,
  ids: readonly number[],
  {
    status,
    now,
    reason = '',
    class: by = 'manual',
  }: { status: number; now: number; reason?: string; class?: 'manual' | 'automatic' },
): Promise<void> {
  const event = status === CHANNEL_STATUS.enabled ? 'enabled' : 'disabled'
  await recordChannelEvents(
    trx,
    ids.map((channel_id) => ({ channel_id, event, scope: 'channel', class: by, reason, created_at: now })),
  )
}
