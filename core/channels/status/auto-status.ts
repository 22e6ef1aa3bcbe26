import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../../actor.ts'
import type { Database } from '../../db/database.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import { recordStatusChange } from '../health/events.ts'
import { sanitizeText } from '../health/sanitize-text.ts'
import { hasUsable } from '../keys/key-auto-status.ts'
import { digestsOf } from '../keys/key-ring.ts'
import { type EditChannels, refreshStatus } from '../routing/abilities.ts'
import {
  disabledKeysIn,
  keepKeys,
  objectIn,
  type Proof,
  proofNeeded,
  REASON_LENGTH_MAX,
  withDisabledKeys,
  withStatusReason,
  withTestFailure,
} from '../settings/other-info.ts'
import type { ChannelChange, StatusChanges } from './status-change.ts'

/** Stores test results and balances of a channel, and changes its status automatically. Ignores deleted channels. */
export interface ChannelAutoStatus {
  /** Stores the duration of a test and its failure text, which is empty for a passed test. */
  recordTest(actor: Actor, id: number, test: { milliseconds: number; failure: string }): Promise<void>
  /** Stores the balance at the vendor, in its currency. */
  recordBalance(actor: Actor, id: number, balance: number): Promise<void>
  /** Disables an enabled channel if `auto_ban` or `regardless` allows it. Returns whether the status changed. */
  disableAutomatically(actor: Actor, id: number, reason: string, options?: { regardless?: boolean }): Promise<boolean>
  /** Enables an automatically disabled channel if its reason requires the proof `by`. Returns whether it did. */
  enableAutomatically(actor: Actor, id: number, by?: Proof): Promise<boolean>
}

export function createChannelAutoStatus(parts: {
  db: Database
  secrets: Secrets
  edit: EditChannels
  now: () => number
  changes: Pick<StatusChanges, 'notify'>
}): ChannelAutoStatus {
  const { db, secrets, edit, now, changes } = parts
  async function changeStatus(
    id: number,
    { by, ...from }: { by?: Proof; status: number; auto_ban?: number },
    to: { status: number; event: ChannelChange['event']; reason: string },
  ): Promise<boolean> {
    let name = ''
    const reason = sanitizeText(to.reason).slice(0, REASON_LENGTH_MAX)
    const changedIds = await edit(
      'automatic',
      async (trx: Knex.Transaction) => {
        const row = await trx('channels')
          .where({ id, ...from })
          .forUpdate()
          .first('name', 'other_info', 'setting', 'key')
        if (!row || (by && proofNeeded(objectIn(row.other_info).status_reason) !== by)) return []
        name = row.name
        const other_info = withStatusReason(row.other_info, { reason, time: now() })
        const digests = digestsOf(row, secrets)
        // If no key is usable, enable all keys. Otherwise the enabled channel would stay unusable.
        const keys = keepKeys(disabledKeysIn(other_info), digests)
        const enablesKeys = to.status === CHANNEL_STATUS.enabled && !hasUsable(digests, keys)
        const columns = { status: to.status, other_info: withDisabledKeys(other_info, enablesKeys ? {} : keys) }
        await trx('channels').where({ id }).update(columns)
        await recordStatusChange(trx, [id], { ...to, reason, now: now(), class: 'automatic' })
        return [id]
      },
      refreshStatus(to.status),
    )
    if (changedIds.length === 0) return false
    changes.notify({ channelId: id, name, event: to.event, reason })
    return true
  }

  return {
    async recordTest(actor, id, { milliseconds, failure }) {
      requireRole(actor, ROLE.admin)
      const measured = { response_time: Math.max(1, Math.round(milliseconds)), test_time: now() }
      await db.transaction(async (trx) => {
        const row = await trx('channels').where({ id }).forUpdate().first('other_info')
        if (!row) return
        await trx('channels')
          .where({ id })
          .update({ ...measured, other_info: withTestFailure(row.other_info, failure) })
      })
    },
    async recordBalance(actor, id, balance) {
      requireRole(actor, ROLE.admin)
      await db.transaction((trx) => trx('channels').where({ id }).update({ balance, balance_updated_time: now() }))
    },
    async disableAutomatically(actor, id, reason, { regardless = false } = {}) {
      requireRole(actor, ROLE.admin)
      const { enabled, autoDisabled } = CHANNEL_STATUS
      const from = { status: enabled, ...(!regardless && { auto_ban: 1 }) }
      return changeStatus(id, from, { status: autoDisabled, event: 'disabled', reason })
    },
    async enableAutomatically(actor, id, by = 'test') {
      requireRole(actor, ROLE.admin)
      const { enabled, autoDisabled } = CHANNEL_STATUS
      return changeStatus(id, { status: autoDisabled, by }, { status: enabled, event: 'enabled', reason: '' })
    },
  }
}
