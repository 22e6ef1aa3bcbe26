import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { HOUR_S, hourOf } from '../logs/usage/cells.ts'
import { percentile } from '../logs/usage/histogram.ts'
import { allUsage } from '../logs/usage/usage.ts'
import type { ChannelActivity } from './schema.ts'

const HOURS = 24
/** Maximum length of `sole_models`; `sole_count` may be larger. */
const SOLE_MODELS_MAX = 20

export function createChannelActivity({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Returns each channel's activity of the last 24 hours. Administrators only. */
    async activity(actor: Actor): Promise<ChannelActivity[]> {
      requireRole(actor, ROLE.admin)
      const at = now()
      const start = hourOf(at) - (HOURS - 1) * HOUR_S
      const usage = await allUsage(db, { start, end: at, lastWhole: hourOf(at), previous: start }, at)
      const [channels, soleModels] = await Promise.all([usage.named('channel'), findSoleModels(db)])
      const latencies = await usage.latencies('channel', [...channels.keys()])
      const totalCount = [...channels.values()].reduce((sum, { sums }) => sum + sums.count, 0)
      // Omit the row without a channel id, which contains the smallest channels if there are too many.
      const countedIds = [...channels.keys()].map(Number).filter((id) => id > 0)
      const ids = new Set([...countedIds, ...soleModels.keys()])
      return [...ids].map((id) => {
        const { sums, hours } = channels.get(String(id)) ?? {}
        const models = soleModels.get(id) ?? []
        return {
          channel_id: id,
          ok: sums?.ok ?? 0,
          failed: sums?.failed ?? 0,
          share: totalCount > 0 ? (sums?.count ?? 0) / totalCount : 0,
          latency_p50: percentile(latencies.get(String(id)) ?? new Map(), 0.5),
          hours: Array.from({ length: HOURS }, (_, hour) => hours?.get(start + hour * HOUR_S)?.count ?? 0),
          sole_models: models.slice(0, SOLE_MODELS_MAX),
          sole_count: models.length,
        }
      })
    },
  }
}

/** Returns, by channel id, the models for which the channel is the only enabled channel of at least one group. */
async function findSoleModels({ reader }: Database): Promise<Map<number, string[]>> {
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
