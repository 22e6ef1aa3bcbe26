import type { Knex } from 'knex'
import type { Audit, AuditedChange } from '../../audit/audit.ts'
import { recordChange } from '../../changes/changes.ts'
import type { Follower } from '../../changes/follower.ts'
import type { Database } from '../../db/database.ts'
import { GatewayError } from '../../errors.ts'
import { inParts } from '../../in-parts.ts'
import { commaList } from '../../input.ts'
import type { Rows } from '../../tables/rows.ts'
import { CHANNEL_STATUS } from '../channel.ts'

const ROWS_PER_INSERT = 200
const CHANNELS_AT_ONCE = 500
/** Maximum number of abilities per channel. */
export const PER_CHANNEL_MAX = 20_000
/** Maximum number of abilities per edit. An edit locks the database while it runs. */
export const ABILITIES_MAX = 200_000

/** The columns that abilities are computed from. */
export const ROUTED_COLUMNS = ['id', 'group', 'models', 'status', 'priority', 'weight', 'tag'] as const
export type RoutedChannel = Pick<Rows['channels'], (typeof ROUTED_COLUMNS)[number]>
export type Ability = Omit<Rows['abilities'], 'enabled'> & { enabled: boolean }

/** Updates the abilities of channels. The caller has locked the channels. */
type Refresh = (trx: Knex.Transaction, channelIds: readonly number[]) => Promise<void>

/** The actor and channels of an edit, for the audit. Only the channel's history records `automatic` edits. */
type ChannelEditAudit = Omit<AuditedChange, 'kind'> | 'automatic'

/** Writes channels. `work` returns the ids of the changed channels. `refresh` updates their abilities. */
export type EditChannels = (
  edit: ChannelEditAudit,
  work: (trx: Knex.Transaction) => Promise<number[]>,
  refresh?: Refresh,
) => Promise<number[]>

/**
 * Returns the function for all edits of channels. In one transaction, it runs the work, refreshes the abilities of the
 * changed channels, writes the audit and notifies all processes. Throws FIELD_TOO_MANY if the changed channels have
 * more than ABILITIES_MAX abilities.
 */
export function createEdit({ db, follower, audit }: { db: Database; follower: Follower; audit: Audit }): EditChannels {
  return async (change, work, refresh = rebuildAbilities) => {
    const changedIds = await db.transaction(async (trx) => {
      const runEdit = async () => {
        const ids = await work(trx)
        await refresh(trx, ids)
        await recordChange(trx, 'channel', ids)
        return ids
      }
      if (change === 'automatic') return runEdit()
      return audit.around(trx, { ...change, kind: 'channel' }, runEdit, (ids) => ids)
    })
    if (changedIds.length) await follower.catchUp()
    return changedIds
  }
}

/** Returns the `refresh` for an edit that sets all its channels to this status and changes nothing else. */
export function refreshStatus(status: number): Refresh {
  const enabled = status === CHANNEL_STATUS.enabled
  return async (trx, channelIds) => {
    for (const ids of inParts(channelIds, CHANNELS_AT_ONCE)) {
      await trx('abilities').whereIn('channel_id', ids).update({ enabled })
    }
  }
}

/** Returns the number of abilities that a channel should have. */
export function countAbilities({ group, models }: Pick<RoutedChannel, 'group' | 'models'>): number {
  return commaList(group).length * commaList(models).length
}

/** Returns the (group, model) rows that a channel should have. Throws FIELD_TOO_MANY above PER_CHANNEL_MAX. */
export function abilitiesOf({ id, group, models, status, priority, weight, tag }: RoutedChannel): Ability[] {
  const enabled = status === CHANNEL_STATUS.enabled
  if (countAbilities({ group, models }) > PER_CHANNEL_MAX) {
    throw new GatewayError('FIELD_TOO_MANY', { field: 'models × group', max: PER_CHANNEL_MAX })
  }
  const names = commaList(models)
  return commaList(group).flatMap((name) =>
    names.map((model) => ({ group: name, model, channel_id: id, enabled, priority, weight, tag })),
  )
}

async function rebuildAbilities(trx: Knex.Transaction, channelIds: readonly number[]): Promise<void> {
  let total = 0
  for (const ids of inParts(channelIds, CHANNELS_AT_ONCE)) {
    const channels: RoutedChannel[] = await trx('channels')
      .whereIn('id', ids)
      .select(...ROUTED_COLUMNS)
    total += channels.reduce((sum, channel) => sum + countAbilities(channel), 0)
    if (total > ABILITIES_MAX) throw new GatewayError('FIELD_TOO_MANY', { field: 'models × group', max: ABILITIES_MAX })
    await trx('abilities').whereIn('channel_id', ids).delete()
    await insertAbilities(trx, channels)
  }
}

/** Inserts the abilities in parts, because the rows of all channels would need too much memory. */
async function insertAbilities(trx: Knex.Transaction, channels: readonly RoutedChannel[]): Promise<void> {
  let rows: Ability[] = []
  for (const channel of channels) {
    rows = [...rows, ...abilitiesOf(channel)]
    if (rows.length < ROWS_PER_INSERT) continue
    await trx.batchInsert('abilities', rows, ROWS_PER_INSERT)
    rows = []
  }
  await trx.batchInsert('abilities', rows, ROWS_PER_INSERT)
}
