import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import {
  ABILITIES_MAX,
  type Ability,
  abilitiesOf,
  countAbilities,
  type EditChannels,
  ROUTED_COLUMNS,
  type RoutedChannel,
} from './routing/abilities.ts'

const CHANNELS_AT_ONCE = 500

export interface ChannelRepair {
  /** Corrects abilities that differ from their channels, after other programs wrote to the tables. */
  repair(actor: Actor): Promise<{ channels: number; repaired: number }>
}

export function createChannelRepair({ edit, audit }: { edit: EditChannels; audit: Audit }): ChannelRepair {
  return {
    async repair(actor) {
      requireRole(actor, ROLE.admin)
      await edit('automatic', async (trx) => {
        await trx('abilities').whereNotIn('channel_id', trx('channels').select('id')).delete()
        await audit.write(trx, actor, { action: 'channel.repair', object: 'channel' })
        return []
      })
      let channels = 0
      let repaired = 0
      let last: number | undefined = 0
      // In parts: a lock on all channels would block other edits.
      while (last !== undefined) {
        let part: RoutedChannel[] = []
        const wrong: number[] = await edit('automatic', async (trx) => {
          part = await lockedPart(trx, last ?? 0)
          return wrongOnes(trx, part)
        })
        channels += part.length
        repaired += wrong.length
        last = part.at(-1)?.id
      }
      return { channels, repaired }
    },
  }
}

/** Locks as many channels as one edit may rebuild. */
async function lockedPart(trx: Knex.Transaction, after: number): Promise<RoutedChannel[]> {
  const next = trx('channels').where('id', '>', after).orderBy('id').limit(CHANNELS_AT_ONCE)
  const channels: RoutedChannel[] = await next.forUpdate().select(...ROUTED_COLUMNS)
  let total = 0
  const beyond = channels.findIndex((channel) => {
    total += countAbilities(channel)
    return total > ABILITIES_MAX
  })
  return beyond < 0 ? channels : channels.slice(0, Math.max(beyond, 1))
}

/** Returns channels whose abilities are missing, stale, or too many. */
async function wrongOnes(trx: Knex.Transaction, channels: RoutedChannel[]): Promise<number[]> {
  const ids = channels.map(({ id }) => id)
  const rows: Ability[] = await trx('abilities')
    .whereIn('channel_id', ids)
    .select('group', 'model', 'channel_id', 'enabled', 'priority', 'weight', 'tag')
  const found = new Map<number, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const row of rows) found.get(row.channel_id)?.add(signature(row))
  return channels
    .filter((channel) => {
      const wanted = abilitiesOf(channel)
      const present = found.get(channel.id) ?? new Set()
      return wanted.length !== present.size || !wanted.every((ability) => present.has(signature(ability)))
    })
    .map(({ id }) => id)
}

function signature({ group, model, enabled, priority, weight, tag }: Ability): string {
  return JSON.stringify([group, model, Boolean(enabled), priority, weight, tag])
}
