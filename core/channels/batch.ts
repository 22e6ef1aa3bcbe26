import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { inParts } from '../in-parts.ts'
import { removeLimitsOfSubjects } from '../limits/remove.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_STATUS, type NewChannels } from './channel.ts'
import {
  checkAddress,
  checkFields,
  checkIds,
  checkStatus,
  checkType,
  KEYS_MAX,
  tidyKey,
  tidyKeys,
  withoutEmpty,
} from './check.ts'
import { splitKeys } from './keys/keys.ts'
import { ABILITIES_MAX, countAbilities, type EditChannels, refreshStatus } from './routing/abilities.ts'
import { parseSettings } from './settings/settings.ts'
import { setChannelsStatus } from './status/set-status.ts'

const ROWS_PER_INSERT = 100
const IDS_PER_STATEMENT = 1000

/** Operations on many channels. An operation that throws changes no channel. */
export function createChannelBatches(parts: { edit: EditChannels; secrets: Secrets; now: () => number }) {
  const { edit, secrets, now } = parts
  return {
    /**
     * Creates one channel per key, with the same name and fields. In `key`, each line or JSON document is a key. If the
     * settings have a multi-key mode, creates one channel with all keys. Throws FIELD_*, CHANNEL_TYPE_*,
     * VERTEX_REGION_*, MODEL_NAME_TOO_LONG, CHANNEL_KEY_MISSING, CHANNEL_KEY_UNUSUAL, CHANNEL_BASE_URL_MISSING.
     */
    async createMany(actor: Actor, { type: number, key, status, ...fields }: NewChannels): Promise<void> {
      requireRole(actor, ROLE.admin)
      const type = checkType(number, fields)
      const shared = { ...withoutEmpty(checkFields(fields)), type: number, status: initialStatus(status || 1) }
      checkAddress(type, shared.base_url ?? '')
      const mode = parseSettings(shared.setting ?? null).multiKeyMode
      const keys = (mode ? [tidyKeys(key, mode)] : splitKeys(key).map(tidyKey)).filter((each) => each !== '')
      if (keys.length === 0) throw new GatewayError('CHANNEL_KEY_MISSING')
      if (keys.length > KEYS_MAX) throw new GatewayError('FIELD_TOO_MANY', { field: 'key', max: KEYS_MAX })
      const abilitiesPerChannel = countAbilities({ models: shared.models ?? '', group: shared.group ?? 'default' })
      if (keys.length * abilitiesPerChannel > ABILITIES_MAX) {
        throw new GatewayError('FIELD_TOO_MANY', { field: 'key × models × group', max: ABILITIES_MAX })
      }
      const created_time = now()
      const rows = keys.map((each) => ({ ...shared, key: secrets.seal(each), created_time }))
      await edit({ actor, action: 'channel.create' }, async (trx) => {
        const inserting = trx.batchInsert<Record<string, unknown>>('channels', rows, ROWS_PER_INSERT)
        return (await inserting.returning('id')).map(({ id }) => Number(id))
      })
    },

    /**
     * Enables (status 1) or disables (2) these channels. Enabling also enables their disabled keys. Throws
     * PARAMETERS_WRONG, CHANNEL_NOT_FOUND if one is missing, FIELD_CHOICE, FIELD_TOO_MANY.
     */
    async setStatusOfMany(actor: Actor, ids: readonly number[], status: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      checkIds(ids)
      checkStatus(status)
      await edit(
        { actor, action: 'channel.status', rows: (rows) => rows.whereIn('id', ids) },
        async (trx) => {
          const rows = await setChannelsStatus(trx, trx('channels').whereIn('id', ids), { status, now: now() })
          const missingId = ids.find((id) => !rows.includes(id))
          if (missingId !== undefined) throw new GatewayError('CHANNEL_NOT_FOUND', { id: missingId })
          return rows
        },
        refreshStatus(status),
      )
    },

    /** Deletes channels with their abilities; ignores missing channels. Throws PARAMETERS_WRONG, FIELD_TOO_MANY. */
    async deleteMany(actor: Actor, ids: readonly number[]): Promise<void> {
      requireRole(actor, ROLE.admin)
      checkIds(ids)
      await edit({ actor, action: 'channel.delete', rows: (rows) => rows.whereIn('id', ids) }, (trx) =>
        deleteMatching(trx, trx('channels').whereIn('id', ids)),
      )
    },

    /** Deletes all channels that were disabled by hand or automatically. Returns the number of deleted channels. */
    async deleteDisabled(actor: Actor): Promise<number> {
      requireRole(actor, ROLE.admin)
      const disabledStatuses = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled]
      const deleted = await edit(
        { actor, action: 'channel.delete', rows: (rows) => rows.whereIn('status', disabledStatuses) },
        (trx) => deleteMatching(trx, trx('channels').whereIn('status', disabledStatuses)),
      )
      return deleted.length
    },
  }
}

/** Deletes matching channels and returns their ids. Locks the rows first, so that no channel is enabled meanwhile. */
async function deleteMatching(trx: Knex.Transaction, matching: Knex.QueryBuilder): Promise<number[]> {
  const rows: { id: number }[] = await matching.orderBy('id').forUpdate().select('id')
  const ids = rows.map(({ id }) => id)
  for (const part of inParts(ids, IDS_PER_STATEMENT)) await trx('channels').whereIn('id', part).delete()
  await removeLimitsOfSubjects(trx, 'channel', ids)
  return ids
}

/** Returns the status of a new channel. 3 (automatically disabled) becomes 2 (disabled). Throws FIELD_CHOICE. */
export function initialStatus(status: number): number {
  return status === CHANNEL_STATUS.autoDisabled ? CHANNEL_STATUS.disabled : checkStatus(status)
}
