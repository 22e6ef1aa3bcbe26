import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { removeLimitsOfSubjects } from '../limits/remove.ts'
import type { Secrets } from '../secrets.ts'
import { createChannelActivity } from './activity.ts'
import { createChannelBatches } from './batch.ts'
import type { Channel, ChannelChanges } from './channel.ts'
import { checkStatus, checkTypeAndAddress, editedColumns } from './check.ts'
import { createChannelCreation } from './create.ts'
import { recordStatusChange } from './health/events.ts'
import { createChannelHealthQueries } from './health/reads.ts'
import { createKeyAutoStatus } from './keys/key-auto-status.ts'
import { keyChanges } from './keys/key-changes.ts'
import { requireKeyAgain } from './keys/key-target.ts'
import { createChannelQueries } from './queries.ts'
import { createChannelRepair } from './repair.ts'
import { createEdit, refreshStatus } from './routing/abilities.ts'
import { createChannelAutoStatus } from './status/auto-status.ts'
import { createStatusChanges } from './status/status-change.ts'
import { createChannelTags } from './tags.ts'

export type { ChannelQuery } from './queries.ts'

/** Operations on channels. Administrators only. */
export type Channels = ReturnType<typeof createChannels>

export function createChannels(parts: {
  db: Database
  secrets: Secrets
  audit: Audit
  follower: Follower
  now: () => number
}) {
  const { db, secrets, follower, audit, now } = parts
  const edit = createEdit({ db, follower, audit })
  const statusChanges = createStatusChanges()
  const queries = createChannelQueries({ db, secrets })

  async function update(
    actor: Actor,
    id: number,
    changes: ChannelChanges,
    options: { emptyClears?: boolean } = {},
  ): Promise<Channel> {
    requireRole(actor, ROLE.admin)
    const { type, key, status } = changes
    const columns = editedColumns(changes, options)
    const isStatusOnly = Boolean(status) && !type && !key && Object.keys(columns).length === 0
    await edit(
      { actor, action: isStatusOnly ? 'channel.status' : 'channel.update', rows: (rows) => rows.where({ id }) },
      async (trx) => {
        const current = await lock(trx, id)
        if (status && status !== current.status) checkStatus(status)
        checkTypeAndAddress(current, changes, columns)
        const edited = { ...current, ...columns, type: type || current.type, key: key ?? '' }
        requireKeyAgain(actor, { ...current, id }, edited)
        const changedColumns = {
          ...columns,
          ...(type && { type }),
          ...(status && { status }),
          ...keyChanges(current, { key, setting: columns.setting, status, isStatusOnly }, secrets),
        }
        if (Object.keys(changedColumns).length) await trx('channels').where({ id }).update(changedColumns)
        if (status && status !== current.status) await recordStatusChange(trx, [id], { status, now: now() })
        return [id]
      },
      status && isStatusOnly ? refreshStatus(status) : undefined,
    )
    return queries.get(actor, id)
  }

  return {
    ...queries,
    ...createChannelCreation({ db, edit, secrets, now, get: queries.get }),
    ...createChannelBatches({ edit, secrets, now }),
    ...createChannelTags({ edit, now }),
    ...createChannelRepair({ edit, audit }),
    ...createChannelAutoStatus({ db, secrets, edit, now, changes: statusChanges }),
    ...createKeyAutoStatus({ edit, secrets, now, changes: statusChanges }),
    ...createChannelHealthQueries({ db, now }),
    ...createChannelActivity({ db, now }),
    onChange: statusChanges.onChange,

    /**
     * Writes only the given fields. The status must be 1, 2 or the current status. Enabling a channel by hand also
     * enables its disabled keys. With `emptyClears`, an empty `other` or `setting` is cleared, and an empty `name`,
     * `models` or `group` is rejected. Without it, these fields keep their values. If an edit changes where the stored
     * key is sent, only root may omit `key`. Throws CHANNEL_NOT_FOUND, FIELD_REQUIRED, CHANNEL_KEY_AGAIN and the errors
     * of `createMany`.
     */
    update,

    async setStatus(actor: Actor, id: number, status: number): Promise<Channel> {
      requireRole(actor, ROLE.admin)
      return update(actor, id, { status: checkStatus(status) })
    },

    /** Deletes a channel with its abilities; log rows keep the id. Throws CHANNEL_NOT_FOUND. */
    async delete(actor: Actor, id: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      await edit({ actor, action: 'channel.delete', rows: (rows) => rows.where({ id }) }, async (trx) => {
        if ((await trx('channels').where({ id }).delete()) === 0) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
        await removeLimitsOfSubjects(trx, 'channel', [id])
        return [id]
      })
    },
  }
}

type LockedRow = Pick<Channel, 'type' | 'status' | 'base_url' | 'setting' | 'other_info'> & { key: string }

async function lock(trx: Knex.Transaction, id: number): Promise<LockedRow> {
  const row = await trx('channels')
    .where({ id })
    .forUpdate()
    .first('type', 'status', 'base_url', 'setting', 'other_info', 'key')
  if (!row) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
  return row
}
