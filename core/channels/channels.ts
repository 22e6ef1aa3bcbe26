import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { createEdit, refreshStatus } from './abilities.ts'
import { type ChannelBatches, createChannelBatches } from './batch.ts'
import type { Channel, ChannelChanges, NewChannel } from './channel.ts'
import { checkAddress, checkFields, checkRegions, checkStatus, checkType, tidyKeys, withoutEmpty } from './check.ts'
import { type ChannelHealthReads, createChannelHealthReads } from './health/reads.ts'
import { recordStatusChange } from './health/status-events.ts'
import { keyChanges } from './key-changes.ts'
import { createKeyUpkeep, type KeyUpkeep } from './key-upkeep.ts'
import { type ChannelReads, createChannelReads } from './reads.ts'
import { type ChannelRepair, createChannelRepair } from './repair.ts'
import { parseSettings } from './settings.ts'
import { createStatusChanges, type StatusChanges } from './status-change.ts'
import { type ChannelTags, createChannelTags } from './tags.ts'
import { findChannelType } from './types.ts'
import { type ChannelUpkeep, createChannelUpkeep } from './upkeep.ts'

export type { ChannelQuery } from './reads.ts'

/** Upstream accounts. Administrators only. */
export interface Channels
  extends ChannelReads,
    ChannelBatches,
    ChannelTags,
    ChannelRepair,
    ChannelUpkeep,
    KeyUpkeep,
    Pick<StatusChanges, 'onChange'>,
    ChannelHealthReads {
  /** One channel with a name of its own. Throws what `createMany` does, FIELD_REQUIRED and CHANNEL_NAME_TAKEN. */
  create(actor: Actor, channel: NewChannel): Promise<Channel>
  /**
   * Writes what is given and nothing else. A status is 1 or 2, or what it is. Keys that were set aside are used again when the
   * channel is enabled by hand. Throws CHANNEL_NOT_FOUND and, but for the key, what `createMany` does.
   */
  update(actor: Actor, id: number, changes: ChannelChanges): Promise<Channel>
  setStatus(actor: Actor, id: number, status: number): Promise<Channel>
  /** With its abilities; log rows keep the id. Throws CHANNEL_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
}

export function createChannels({
  db,
  secrets,
  follower,
  now,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
  now: () => number
}): Channels {
  const edit = createEdit({ db, follower })
  const changes = createStatusChanges()
  const reads = createChannelReads({ db, secrets })

  async function update(actor: Actor, id: number, { type, key, status, ...fields }: ChannelChanges): Promise<Channel> {
    requireRole(actor, ROLE.admin)
    const columns = withoutEmpty(checkFields(fields))
    if (type) checkRegions(type, fields.other ?? '')
    const statusAlone = Boolean(status) && !type && !key && Object.keys(columns).length === 0
    await edit(
      async (trx) => {
        const current = await lock(trx, id)
        if (status && status !== current.status) checkStatus(status)
        // An imported channel of a kind that is not relayed can still be edited, as long as it stays of that kind.
        const stays = !type || type === current.type
        const kind = stays ? findChannelType(current.type) : checkType(type, fields)
        if (kind && (!stays || columns.base_url === '')) checkAddress(kind, columns.base_url ?? current.base_url)
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
    ...createChannelBatches({ edit, secrets, now }),
    ...createChannelTags({ edit, now }),
    ...createChannelRepair({ edit }),
    ...createChannelUpkeep({ db, secrets, edit, now, changes }),
    ...createKeyUpkeep({ edit, secrets, now, changes }),
    ...createChannelHealthReads({ db, now }),
    onChange: changes.onChange,

    async create(actor, { type: number, key, ...fields }) {
      requireRole(actor, ROLE.admin)
      const type = checkType(number, fields)
      const row = { group: 'default', ...checkFields(fields), type: number }
      for (const field of ['name', 'models', 'group'] as const) {
        if (!row[field]) throw new GatewayError('FIELD_REQUIRED', { field })
      }
      const credential = tidyKeys(key, parseSettings(row.setting ?? null).multiKeyMode)
      if (credential === '') throw new GatewayError('CHANNEL_KEY_MISSING')
      checkAddress(type, row.base_url ?? '')
      const [id = 0] = await edit(async (trx) => {
        await db.alone(trx, 'name of a channel')
        if (await trx('channels').where({ name: row.name }).first('id')) {
          throw new GatewayError('CHANNEL_NAME_TAKEN', { name: row.name })
        }
        const stored = { ...row, key: secrets.seal(credential), created_time: now() }
        const [created] = (await trx('channels').insert(stored).returning('id')) as [{ id: number }]
        return [created.id]
      })
      return reads.get(actor, id)
    },

    update,

    async setStatus(actor, id, status) {
      requireRole(actor, ROLE.admin)
      return update(actor, id, { status: checkStatus(status) })
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      await edit(async (trx) => {
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
