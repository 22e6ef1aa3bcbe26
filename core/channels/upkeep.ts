import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import { type EditChannels, refreshStatus } from './abilities.ts'
import { CHANNEL_STATUS } from './channel.ts'
import { digestsOf, hasUsable } from './key-upkeep.ts'
import { objectIn, onlyOf, REASON_LENGTH_MAX, setAsideIn, withSetAside } from './other-info.ts'

/** What the gateway itself finds out about a channel. None of it throws for a channel that is gone by now. */
export interface ChannelUpkeep {
  /** Keeps how long a test took. */
  recordTest(actor: Actor, id: number, milliseconds: number): Promise<void>
  /** Keeps what is left at the provider, in its currency. */
  recordBalance(actor: Actor, id: number, balance: number): Promise<void>
  /** Takes out a channel that is enabled and may be disabled automatically. Answers whether it was. */
  disableAutomatically(actor: Actor, id: number, reason: string): Promise<boolean>
  /** Brings back a channel that was disabled automatically. Answers whether it was. */
  enableAutomatically(actor: Actor, id: number): Promise<boolean>
}

export function createChannelUpkeep({
  db,
  secrets,
  edit,
  now,
}: {
  db: Database
  secrets: Secrets
  edit: EditChannels
  now: () => number
}): ChannelUpkeep {
  async function turn(id: number, from: object, to: { status: number; reason: string }): Promise<boolean> {
    const turned = await edit(async (trx: Knex.Transaction) => {
      const row = await trx('channels')
        .where({ id, ...from })
        .forUpdate()
        .first('other_info', 'setting', 'key')
      if (!row) return []
      const why = { status_reason: to.reason.slice(0, REASON_LENGTH_MAX), status_time: now() }
      const other_info = JSON.stringify({ ...objectIn(row.other_info), ...why })
      const digests = digestsOf(row, secrets)
      // Back without one key that may be used, it would not be back.
      const keys = onlyOf(setAsideIn(other_info), digests)
      const revived = to.status === CHANNEL_STATUS.enabled && !hasUsable(digests, keys)
      const changes = { status: to.status, other_info: withSetAside(other_info, revived ? {} : keys) }
      await trx('channels').where({ id }).update(changes)
      return [id]
    }, refreshStatus(to.status))
    return turned.length > 0
  }

  return {
    async recordTest(actor, id, milliseconds) {
      requireRole(actor, ROLE.admin)
      const measured = { response_time: Math.max(1, Math.round(milliseconds)), test_time: now() }
      await db.transaction((trx) => trx('channels').where({ id }).update(measured))
    },
    async recordBalance(actor, id, balance) {
      requireRole(actor, ROLE.admin)
      await db.transaction((trx) => trx('channels').where({ id }).update({ balance, balance_updated_time: now() }))
    },
    async disableAutomatically(actor, id, reason) {
      requireRole(actor, ROLE.admin)
      const { enabled, autoDisabled } = CHANNEL_STATUS
      return turn(id, { status: enabled, auto_ban: 1 }, { status: autoDisabled, reason })
    },
    async enableAutomatically(actor, id) {
      requireRole(actor, ROLE.admin)
      const { enabled, autoDisabled } = CHANNEL_STATUS
      return turn(id, { status: autoDisabled }, { status: enabled, reason: '' })
    },
  }
}
