import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { HOUR_S, hourOf } from '../logs/usage/cells.ts'
import { percentile } from '../logs/usage/histogram.ts'
import { allUsage } from '../logs/usage/usage.ts'
import type { ChannelActivity } from './schema.ts'

export interface ChannelActivityReads {
  /** Returns each channel's activity of the last 24 hours, with the models that only it serves. Administrators only. */
  activity(actor: Actor): Promise<ChannelActivity[]>
}

const HOURS = 24
/** Maximum number of model names to list. `sole_count` counts all of them. */
const NAMES_MAX = 20

export function createChannelActivity({ db, now }: { db: Database; now: () => number }): ChannelActivityReads {
  return {
    async activity(actor) {
      requireRole(actor, ROLE.admin)
      const at = now()
      const start = hourOf(at) - (HOURS - 1) * HOUR_S
      const usage = await allUsage(db, { start, end: at, lastWhole: hourOf(at), previous: start }, at)
      const [channels, sole] = await Promise.all([usage.named('channel'), soleModels(db)])
      const latencies = await usage.latencies('channel', [...channels.keys()])
      const totalCount = [...channels.values()].reduce((sum, { sums }) => sum + sums.count, 0)
      // A row without a channel id sums up the smallest channels if there are too many. Omit it.
      const countedIds = [...channels.keys()].map(Number).filter((id) => id > 0)
      const ids = new Set([...countedIds, ...sole.keys()])
      return [...ids].map((id) => {
        const { sums, hours } = channels.get(String(id)) ?? {}
        const models = sole.get(id) ?? []
        return {
          channel_id: id,
          ok: sums?.ok ?? 0,
          failed: sums?.failed ?? 0,
          share: totalCount > 0 ? (sums?.count ?? 0) / totalCount : 0,
          latency_p50: percentile(latencies.get(String(id)) ?? new Map(), 0.5),
          hours: Array.from({ length: HOURS }, (_, hour) => hours?.get(start + hour * HOUR_S)?.count ?? 0),
          sole_models: models.slice(0, NAMES_MAX),
          sole_count: models.length,
        }
      })
    },
  }
}

/** Returns, by channel, the models that only this enabled channel serves in some group. */
async function soleModels({ reader }: Database): Promise<Map<number, string[]>> {
  const rows: { channel_id: number; model: string }[] = await reader('abilities')
    .where({ enabled: true })
    .groupBy('group', 'model')
    .havingRaw('COUNT(*) = 1')
    .select('model')
    .min({ channel_id: 'channel_id' })
  const models = new Map<number, Set<string>>()
  for (const { channel_id, model } of rows) {
    const names = models.get(channel_id)
    if (names) names.add(model)
    else models.set(channel_id, new Set([model]))
  }
  return new Map([...models].map(([id, names]) => [id, [...names].sort()]))
}
