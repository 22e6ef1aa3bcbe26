import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { createEdit, refreshStatus } from './abilities.ts'
import { type ChannelAdditions, createChannelAdditions } from './additions.ts'
import { type ChannelBatches, createChannelBatches } from './batch.ts'
import type { Channel, ChannelChanges } from './channel.ts'
import { checkFits, checkStatus, editedColumns } from './check.ts'
import { type ChannelHealthReads, createChannelHealthReads } from './health/reads.ts'
import { recordStatusChange } from './health/status-events.ts'
import { keyChanges } from './key-changes.ts'
import { requireKeyAgain } from './key-target.ts'
import { createKeyUpkeep, type KeyUpkeep } from './key-upkeep.ts'
import { type ChannelReads, createChannelReads } from './reads.ts'
import { type ChannelRepair, createChannelRepair } from './repair.ts'
import { createStatusChanges, type StatusChanges } from './status-change.ts'
import { type ChannelTags, createChannelTags } from './tags.ts'
import { type ChannelUpkeep, createChannelUpkeep } from './upkeep.ts'

export type { ChannelQuery } from './reads.ts'

/** Upstream accounts. Administrators only. */
export interface Channels
  extends ChannelReads,
    ChannelAdditions,
    ChannelBatches,
    ChannelTags,
    ChannelRepair,
    ChannelUpkeep,
    KeyUpkeep,
    Pick<StatusChanges, 'onChange'>,
    ChannelHealthReads {
  /**
   * Writes what is given and nothing else. A status is 1 or 2, or what it is. Keys that were set aside are used again when the
   * channel is enabled by hand. With `emptyClears` an empty `other` or `setting` is cleared, and an empty `name`, `models` or `group`
   * refused, instead of kept. What would send the stored key elsewhere needs the key again, unless root edits. Throws
   * CHANNEL_NOT_FOUND and, but for the key, what `createMany` does; FIELD_REQUIRED, CHANNEL_KEY_AGAIN.
   */
  update(actor: Actor, id: number, changes: ChannelChanges, options?: { emptyClears?: boolean }): Promise<Channel>
  setStatus(actor: Actor, id: number, status: number): Promise<Channel>
  /** With its abilities; log rows keep the id. Throws CHANNEL_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
}

export function createChannels({
  db,
  secrets,
  follower,
  audit,
  now,
}: {
  db: Database
  secrets: Secrets
  audit: Audit
  follower: Follower
  now: () => number
}): Channels {
  const edit = createEdit({ db, follower, audit })
  const changes = createStatusChanges()
  const reads = createChannelReads({ db, secrets })

  async function update(
    actor: Actor,
    id: number,
    wanted: ChannelChanges,
    how: { emptyClears?: boolean } = {},
  ): Promise<Channel> {
    requireRole(actor, ROLE.admin)
    const { type, key, status } = wanted
    const columns = editedColumns(wanted, how)
    const statusAlone = Boolean(status) && !type && !key && Object.keys(columns).length === 0
    await edit(
      { actor, action: statusAlone ? 'channel.status' : 'channel.update', rows: (rows) => rows.where({ id }) },
      async (trx) => {
        const current = await lock(trx, id)
        if (status && status !== current.status) checkStatus(status)
        checkFits(current, wanted, columns)
        const edited = { ...current, ...columns, type: type || current.type, key: key ?? '' }
        requireKeyAgain(actor, { ...current, id }, edited)
        const changes = {
          ...columns,
          ...(type && { type }),
          ...(status && { status }),
          ...keyChanges(current, { key, setting: columns.setting, status, statusAlone }, secrets),
        }
        if (Object.keys(changes).length) await trx('channels').where({ id }).update(changes)
        if (status && status !== current.status) await recordStatusChange(trx, [id], { status, now: now() })
        return [id]
      },
      status && statusAlone ? refreshStatus(status) : undefined,
    )
    return reads.get(actor, id)
  }

  return {
    ...reads,
    ...createChannelAdditions({ db, edit, secrets, now, get: reads.get }),
    ...createChannelBatches({ edit, secrets, now }),
    ...createChannelTags({ edit, now }),
    ...createChannelRepair({ edit, audit }),
    ...createChannelUpkeep({ db, secrets, edit, now, changes }),
    ...createKeyUpkeep({ edit, secrets, now, changes }),
    ...createChannelHealthReads({ db, now }),
    onChange: changes.onChange,

    update,

    async setStatus(actor, id, status) {
      requireRole(actor, ROLE.admin)
      return update(actor, id, { status: checkStatus(status) })
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      await edit({ actor, action: 'channel.delete', rows: (rows) => rows.where({ id }) }, async (trx) => {
        if ((await trx('channels').where({ id }).delete()) === 0) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
        return [id]
      })
    },
  }
}

type Locked = Pick<Channel, 'type' | 'status' | 'base_url' | 'setting' | 'other_info'> & { key: string }

async function lock(trx: Knex.Transaction, id: number): Promise<Locked> {
  const row = await trx('channels')
    .where({ id })
    .forUpdate()
    .first('type', 'status', 'base_url', 'setting', 'other_info', 'key')
  if (!row) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
  return row
}
