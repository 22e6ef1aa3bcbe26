import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import { type EditChannels, refreshStatus } from './abilities.ts'
import { CHANNEL_STATUS } from './channel.ts'
import { legible } from './health/legible.ts'
import { recordStatusChange } from './health/status-events.ts'
import { digestsOf, hasUsable } from './key-upkeep.ts'
import {
  objectIn,
  onlyOf,
  type Proof,
  proofNeeded,
  REASON_LENGTH_MAX,
  setAsideIn,
  withSetAside,
  withTestFailure,
} from './other-info.ts'
import type { ChannelChange, StatusChanges } from './status-change.ts'

/** What the gateway itself finds out about a channel. None of it throws for a channel that is gone by now. */
export interface ChannelUpkeep {
  /** Keeps how long a test took, and why it failed; '' if it did not. */
  recordTest(actor: Actor, id: number, test: { milliseconds: number; failure: string }): Promise<void>
  /** Keeps what is left at the provider, in its currency. */
  recordBalance(actor: Actor, id: number, balance: number): Promise<void>
  /**
   * Takes out a channel that is enabled and may be disabled automatically (`auto_ban`); `regardless`, one that may not, too.
   * Answers whether it was.
   */
  disableAutomatically(actor: Actor, id: number, reason: string, options?: { regardless?: boolean }): Promise<boolean>
  /** Brings back a channel that was disabled automatically, for a reason that this disproves. Answers whether it was. */
  enableAutomatically(actor: Actor, id: number, by?: Proof): Promise<boolean>
}

export function createChannelUpkeep({
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
  changes: Pick<StatusChanges, 'tell'>
}): ChannelUpkeep {
  async function turn(
    id: number,
    { by, ...from }: { by?: Proof; status: number; auto_ban?: number },
    to: { status: number; event: ChannelChange['event']; reason: string },
  ): Promise<boolean> {
    let name = ''
    const reason = legible(to.reason).slice(0, REASON_LENGTH_MAX)
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
        // Back without one key that may be used, it would not be back.
        const keys = onlyOf(setAsideIn(other_info), digests)
        const revived = to.status === CHANNEL_STATUS.enabled && !hasUsable(digests, keys)
        const columns = { status: to.status, other_info: withSetAside(other_info, revived ? {} : keys) }
        await trx('channels').where({ id }).update(columns)
        await recordStatusChange(trx, [id], { ...to, reason, now: now(), class: 'automatic' })
        return [id]
      },
      refreshStatus(to.status),
    )
    if (turned.length === 0) return false
    changes.tell({ channelId: id, name, event: to.event, reason })
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
