import type { Knex } from 'knex'
import { inParts } from '../../in-parts.ts'
import { CHANNEL_STATUS } from '../channel.ts'
import { recordStatusChange } from '../health/events.ts'
import { disabledKeysIn, withDisabledKeys } from '../settings/other-info.ts'

interface Row {
  id: number
  status: number
  other_info: string
}
const IDS_PER_STATEMENT = 1000

/**
 * Enables or disables matching channels, even those that were disabled automatically, and writes their histories.
 * Enabling also enables their disabled keys. Returns the ids of all matching channels. `now` is in Unix seconds.
 */
export async function setChannelsStatus(
  trx: Knex.Transaction,
  matching: Knex.QueryBuilder,
  { status, now }: { status: number; now: number },
): Promise<number[]> {
  // Lock in the order of ids, to prevent deadlocks.
  const rows: Row[] = await matching.orderBy('id').forUpdate().select('id', 'status', 'other_info')
  const ids = rows.map(({ id }) => id)
  const changedIds = rows.filter((row) => row.status !== status).map(({ id }) => id)
  await recordStatusChange(trx, changedIds, { status, now })
  if (status === CHANNEL_STATUS.enabled) await enableKeys(trx, rows)
  for (const part of inParts(ids, IDS_PER_STATEMENT)) await trx('channels').whereIn('id', part).update({ status })
  return ids
}

async function enableKeys(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
  for (const { id, other_info } of rows) {
    if (Object.keys(disabledKeysIn(other_info)).length === 0) continue
    await trx('channels')
      .where({ id })
      .update({ other_info: withDisabledKeys(other_info, {}) })
  }
}
