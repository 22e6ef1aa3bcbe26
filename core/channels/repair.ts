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

export function createChannelRepair({ edit, audit }: { edit: EditChannels; audit: Audit }) {
  return {
    /**
     * Corrects abilities that do not match their channels. Another program may have written to the tables. Returns the
     * number of checked channels and the number of repaired channels.
     */
    async repair(actor: Actor): Promise<{ channels: number; repaired: number }> {
      requireRole(actor, ROLE.admin)
      await edit('automatic', async (trx) => {
        await trx('abilities').whereNotIn('channel_id', trx('channels').select('id')).delete()
        await audit.write(trx, actor, { action: 'channel.repair', object: 'channel' })
        return []
      })
      let channels = 0
      let repaired = 0
      let lastId: number | undefined = 0
      // Check the channels in groups, because a lock on all channels would block other edits.
      while (lastId !== undefined) {
        let part: RoutedChannel[] = []
        const wrongIds: number[] = await edit('automatic', async (trx) => {
          part = await lockPart(trx, lastId ?? 0)
          return findWrong(trx, part)
        })
        channels += part.length
        repaired += wrongIds.length
        lastId = part.at(-1)?.id
      }
      return { channels, repaired }
    },
  }
}

/** Locks and returns the next channels. Together, they have at most as many abilities as one edit may rebuild. */
async function lockPart(trx: Knex.Transaction, afterId: number): Promise<RoutedChannel[]> {
  const next = trx('channels').where('id', '>', afterId).orderBy('id').limit(CHANNELS_AT_ONCE)
  const channels: RoutedChannel[] = await next.forUpdate().select(...ROUTED_COLUMNS)
  let total = 0
  const excess = channels.findIndex((channel) => {
    total += countAbilities(channel)
    return total > ABILITIES_MAX
  })
  return excess < 0 ? channels : channels.slice(0, Math.max(excess, 1))
}

/** Returns the ids of channels whose abilities are missing, stale, or too many. */
async function findWrong(trx: Knex.Transaction, channels: RoutedChannel[]): Promise<number[]> {
  const ids = channels.map(({ id }) => id)
  const rows: Ability[] = await trx('abilities')
    .whereIn('channel_id', ids)
    .select('group', 'model', 'channel_id', 'enabled', 'priority', 'weight', 'tag')
  const signatures = new Map<number, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const row of rows) signatures.get(row.channel_id)?.add(signature(row))
  return channels
    .filter((channel) => {
      const expected = abilitiesOf(channel)
      const present = signatures.get(channel.id) ?? new Set()
      return expected.length !== present.size || !expected.every((ability) => present.has(signature(ability)))
    })
    .map(({ id }) => id)
}

function signature({ group, model, enabled, priority, weight, tag }: Ability): string {
  return JSON.stringify([group, model, Boolean(enabled), priority, weight, tag])
}
