import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { defined } from '../records.ts'
import type { ChannelFields } from './channel.ts'
import { checkFields, checkIds, checkStatus, withoutEmpty } from './check.ts'
import { type EditChannels, refreshStatus } from './routing/abilities.ts'
import { setChannelsStatus } from './status/set-status.ts'

/** Changes to all channels of a tag. */
export interface TagChanges {
  /** The new name of the tag; empty removes it. */
  new_tag?: string | null
  models?: string | null
  groups?: string | null
  model_mapping?: string | null
  priority?: number | null
  weight?: number | null
}

/** Changes channels with the same tag together. A tag without channels is not an error. */
export function createChannelTags({ edit, now }: { edit: EditChannels; now: () => number }) {
  // Only the UPDATE selects the rows, so that no concurrent change can come between a selection and the update.
  const write =
    (where: { tag: string } | { ids: readonly number[] }, columns: object) => async (trx: Knex.Transaction) => {
      if (Object.keys(columns).length === 0) return []
      const channels = 'ids' in where ? trx('channels').whereIn('id', where.ids) : trx('channels').where(where)
      const rows: { id: number }[] = await channels.update(columns).returning('id')
      return rows.map(({ id }) => id)
    }

  return {
    /**
     * Enables or disables all channels of the tag, even those that were disabled automatically. Enabling also enables
     * their disabled keys. Throws PARAMETERS_WRONG, FIELD_CHOICE.
     */
    async setTagStatus(actor: Actor, tag: string, status: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      // The error differs from that of `updateTag`, because clients of this call expect another text.
      if (tag === '') throw new GatewayError('PARAMETERS_WRONG', { reason: 'tag' })
      checkStatus(status)
      await edit(
        { actor, action: 'channel.status', rows: (rows) => rows.where({ tag }) },
        (trx) => setChannelsStatus(trx, trx('channels').where({ tag }), { status, now: now() }),
        refreshStatus(status),
      )
    },

    /**
     * Changes all channels of a tag. Empty texts change nothing, except `new_tag`. Throws TAG_MISSING, FIELD_*,
     * MODEL_NAME_TOO_LONG.
     */
    async updateTag(
      actor: Actor,
      tag: string,
      { new_tag, groups, models, model_mapping, priority, weight }: TagChanges,
    ): Promise<void> {
      requireRole(actor, ROLE.admin)
      const fields: ChannelFields = {
        ...defined({ tag: new_tag, priority, weight }),
        ...(groups && { group: groups }),
        ...(models && { models }),
        ...(model_mapping && { model_mapping }),
      }
      if (tag === '') throw new GatewayError('TAG_MISSING')
      await edit(
        { actor, action: 'channel.update', rows: (rows) => rows.where({ tag }) },
        write({ tag }, withoutEmpty(checkFields(fields))),
      )
    },

    /** Sets the tag of these channels; null removes it. */
    async tagChannels(actor: Actor, ids: readonly number[], tag: string | null): Promise<void> {
      requireRole(actor, ROLE.admin)
      checkIds(ids)
      await edit(
        { actor, action: 'channel.tag', rows: (rows) => rows.whereIn('id', ids) },
        write({ ids }, { tag: null, ...checkFields({ tag }) }),
      )
    },
  }
}
