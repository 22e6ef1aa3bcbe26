import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../../actor.ts'
import type { Database } from '../../db/database.ts'
import type { Secrets } from '../../secrets.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import { sanitizeText } from '../health/sanitize-text.ts'
import { recordStatusChange } from '../health/status-events.ts'
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
  withTestFailure,
} from '../settings/other-info.ts'
import type { ChannelChange, StatusChanges } from './status-change.ts'

/** The gateway's findings about a channel. None of these throws for a deleted channel. */
export interface ChannelAutoStatus {
  /** Stores a test's duration and its failure; '' for none. */
  recordTest(actor: Actor, id: number, test: { milliseconds: number; failure: string }): Promise<void>
  /** Stores the balance at the vendor, in its currency. */
  recordBalance(actor: Actor, id: number, balance: number): Promise<void>
  /**
   * Disables an enabled channel that may be disabled automatically (`auto_ban`), or with `regardless` any enabled channel.
   * Returns whether it did.
   */
  disableAutomatically(actor: Actor, id: number, reason: string, options?: { regardless?: boolean }): Promise<boolean>
  /** Enables an automatically disabled channel whose reason is disproved. Returns whether it did. */
  enableAutomatically(actor: Actor, id: number, by?: Proof): Promise<boolean>
}

export function createChannelAutoStatus({
  db,
  secrets,
  edit,
  now,
  changes,
}: {
  db: Database
  secrets: Secrets
  edit: EditChannels
  now: () => number
  changes: Pick<StatusChanges, 'notify'>
}): ChannelAutoStatus {
  async function turn(
    id: number,
    { by, ...from }: { by?: Proof; status: number; auto_ban?: number },
    to: { status: number; event: ChannelChange['event']; reason: string },
  ): Promise<boolean> {
    let name = ''
    const reason = sanitizeText(to.reason).slice(0, REASON_LENGTH_MAX)
    const turned = await edit(
      'automatic',
      async (trx: Knex.Transaction) => {
        const row = await trx('channels')
          .where({ id, ...from })
          .forUpdate()
          .first('name', 'other_info', 'setting', 'key')
        if (!row || (by && proofNeeded(objectIn(row.other_info).status_reason) !== by)) return []
        name = row.name
        const why = { status_reason: reason, status_time: now() }
        const other_info = JSON.stringify({ ...objectIn(row.other_info), ...why })
        const digests = digestsOf(row, secrets)
        // An enabled channel without a usable key would stay unusable.
        const keys = keepKeys(disabledKeysIn(other_info), digests)
        const revived = to.status === CHANNEL_STATUS.enabled && !hasUsable(digests, keys)
        const columns = { status: to.status, other_info: withDisabledKeys(other_info, revived ? {} : keys) }
        await trx('channels').where({ id }).update(columns)
        await recordStatusChange(trx, [id], { ...to, reason, now: now(), class: 'automatic' })
        return [id]
      },
      refreshStatus(to.status),
    )
    if (turned.length === 0) return false
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
      return turn(id, from, { status: autoDisabled, event: 'disabled', reason })
    },
    async enableAutomatically(actor, id, by = 'test') {
      requireRole(actor, ROLE.admin)
      const { enabled, autoDisabled } = CHANNEL_STATUS
      return turn(id, { status: autoDisabled, by }, { status: enabled, event: 'enabled', reason: '' })
    },
  }
}
