import type { Knex } from 'knex'
import { commaList } from '../input.ts'
import { CHANNEL_STATUS } from './channel.ts'

const ROWS_PER_INSERT = 200

/** Makes the (group, model) rows of channels agree with the channels, in the transaction that changed them. */
export async function rebuildAbilities(trx: Knex.Transaction, channelIds: number[]): Promise<void> {
  await trx('abilities').whereIn('channel_id', channelIds).delete()
  const channels = (await trx('channels')
    .whereIn('id', channelIds)
    .select('id', 'group', 'models', 'status', 'priority', 'weight', 'tag')) as {
    id: number
    group: string
    models: string
    status: number
    priority: number
    weight: number
    tag: string | null
  }[]
  const rows = channels.flatMap(({ id, group, models, status, priority, weight, tag }) =>
    commaList(group).flatMap((name) =>
      commaList(models).map((model) => ({
        group: name,
        model,
        channel_id: id,
        enabled: status === CHANNEL_STATUS.enabled,
        priority,
        weight,
        tag,
      })),
    ),
  )
  await trx.batchInsert('abilities', rows, ROWS_PER_INSERT)
}
