import type { Operation } from './operations.ts'
import { byPriority, type Candidate, EMPTY_POOL, type Pool, poolOfSorted } from './routing.ts'

/** A channel's models, its groups, and the operations of its type. */
export interface RoutableChannel extends Candidate {
  readonly groups: readonly string[]
  readonly models: readonly string[]
  readonly type: { readonly operations: readonly Operation[] }
}

/**
 * Finds the channels that serve a model for a group, sorted `byPriority`. A change of a channel updates only the lists
 * of its own groups and models. So an update among thousands of channels takes about a millisecond.
 */
export interface RoutingIndex<T extends RoutableChannel> {
  add(channel: T): void
  /** Removes a channel. The argument must be the object that was added. */
  remove(channel: T): void
  /**
   * Returns channels that serve a model for a group and support the operation (or any operation, if it is undefined).
   * Returns the same object until a channel for this group and model is added or removed.
   */
  pool(group: string, model: string, operation?: Operation): Pool<T>
  /** Returns whether a channel serves a model for any group. */
  has(model: string): boolean
  /** Returns the models that channels serve for a group, sorted. */
  models(group: string): readonly string[]
  /** Returns every model with its groups. The object is the same until a group gets or loses a model. */
  groupsByModel(): ReadonlyMap<string, readonly string[]>
}

/** The channels for one model in one group. */
interface ModelBucket<T extends RoutableChannel> {
  readonly sorted: T[]
  /** Pools by operation, built on first use. The key '' means any operation. */
  readonly pools: Map<Operation | '', Pool<T>>
}

interface GroupBuckets<T extends RoutableChannel> {
  readonly byModel: Map<string, ModelBucket<T>>
  modelNames: readonly string[] | undefined
}

export function createRoutingIndex<T extends RoutableChannel>(): RoutingIndex<T> {
  const groups = new Map<string, GroupBuckets<T>>()
  /** Number of groups for which each model is served. */
  const groupCounts = new Map<string, number>()
  let groupsByModel: ReadonlyMap<string, readonly string[]> | undefined

  function bucketFor(group: string, model: string): ModelBucket<T> {
    let groupBuckets = groups.get(group)
    if (!groupBuckets) {
      groupBuckets = { byModel: new Map(), modelNames: undefined }
      groups.set(group, groupBuckets)
    }
    let bucket = groupBuckets.byModel.get(model)
    if (!bucket) {
      bucket = { sorted: [], pools: new Map() }
      groupBuckets.byModel.set(model, bucket)
      updateCount(groupBuckets, model, 1)
    }
    return bucket
  }

  function removeBucket(group: string, groupBuckets: GroupBuckets<T>, model: string): void {
    groupBuckets.byModel.delete(model)
    updateCount(groupBuckets, model, -1)
    if (groupBuckets.byModel.size === 0) groups.delete(group)
  }

  function updateCount(groupBuckets: GroupBuckets<T>, model: string, by: 1 | -1): void {
    const count = (groupCounts.get(model) ?? 0) + by
    if (count) groupCounts.set(model, count)
    else groupCounts.delete(model)
    groupBuckets.modelNames = undefined
    groupsByModel = undefined
  }

  return {
    add(channel) {
      for (const group of channel.groups) {
        for (const model of channel.models) {
          const { sorted, pools } = bucketFor(group, model)
          sorted.splice(placeOf(channel, sorted), 0, channel)
          pools.clear()
        }
      }
    },

    remove(channel) {
      for (const group of channel.groups) {
        const groupBuckets = groups.get(group)
        for (const model of channel.models) {
          const bucket = groupBuckets?.byModel.get(model)
          const place = bucket ? placeOf(channel, bucket.sorted) : -1
          if (!groupBuckets || !bucket || bucket.sorted[place] !== channel) continue
          bucket.sorted.splice(place, 1)
          bucket.pools.clear()
          if (bucket.sorted.length === 0) removeBucket(group, groupBuckets, model)
        }
      }
    },

    pool(group, model, operation) {
      const bucket = groups.get(group)?.byModel.get(model)
      // A model without channels has no bucket.
      if (!bucket) return EMPTY_POOL
      const key = operation ?? ''
      let pool = bucket.pools.get(key)
      if (!pool) {
        const { sorted } = bucket
        pool = poolOfSorted(operation ? sorted.filter(({ type }) => type.operations.includes(operation)) : sorted)
        bucket.pools.set(key, pool)
      }
      return pool
    },

    has: (model) => groupCounts.has(model),

    models(group) {
      const groupBuckets = groups.get(group)
      if (!groupBuckets) return []
      groupBuckets.modelNames ??= [...groupBuckets.byModel.keys()].sort()
      return groupBuckets.modelNames
    },

    groupsByModel() {
      groupsByModel ??= groupsByModelOf(groups)
      return groupsByModel
    },
  }
}

function groupsByModelOf(groups: ReadonlyMap<string, GroupBuckets<RoutableChannel>>): Map<string, string[]> {
  const groupNames = new Map<string, string[]>()
  for (const [group, { byModel }] of groups) {
    for (const model of byModel.keys()) {
      const names = groupNames.get(model)
      if (names) names.push(group)
      else groupNames.set(model, [group])
    }
  }
  return groupNames
}

/** Returns the index of a channel in the sorted list, or its insertion point. */
function placeOf<T extends RoutableChannel>(channel: T, sorted: readonly T[]): number {
  const last = sorted.at(-1)
  // Skip the search if the channel comes last, because channels are usually added in order.
  if (!last || byPriority(last, channel) < 0) return sorted.length
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sorted[middle]
    if (other && byPriority(other, channel) < 0) low = middle + 1
    else high = middle
  }
  return low
}
