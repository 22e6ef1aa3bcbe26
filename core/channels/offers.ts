import type { Operation } from './operations.ts'
import { byPriority, type Candidate, EMPTY_POOL, type Pool, poolOfSorted } from './routing.ts'

/** What a channel offers: its models, to its groups, for the operations of its type. */
export interface Offering extends Candidate {
  readonly groups: readonly string[]
  readonly models: readonly string[]
  readonly type: { readonly operations: readonly Operation[] }
}

/**
 * Who serves what: for each group and model the channels that offer it, in the order of their pools. A change of a channel
 * touches the lists of its own groups and models and no others, so that one among thousands costs about a millisecond.
 */
export interface Offers<T extends Offering> {
  add(channel: T): void
  /** The very object that was added. */
  remove(channel: T): void
  /** Those that offer a model to a group and can do the operation; all that offer it, without one. The same object until one changes. */
  pool(group: string, model: string, operation?: Operation): Pool<T>
  /** Whether somebody offers a model to whatever group. */
  has(model: string): boolean
  /** Models offered to a group, sorted. */
  models(group: string): readonly string[]
  /** Every model with the groups it is offered to. The same object until a model comes to a group or leaves it. */
  groupsByModel(): ReadonlyMap<string, readonly string[]>
}

/** The channels for one model in one group. */
interface Shelf<T extends Offering> {
  readonly sorted: T[]
  /** Built when somebody asks. The keys are operations, so that they are few; '' is any. */
  readonly pools: Map<Operation | '', Pool<T>>
}

interface GroupShelves<T extends Offering> {
  readonly byModel: Map<string, Shelf<T>>
  names: readonly string[] | undefined
}

export function createOffers<T extends Offering>(): Offers<T> {
  const groups = new Map<string, GroupShelves<T>>()
  /** In how many groups each model is offered. */
  const groupCounts = new Map<string, number>()
  let inverse: ReadonlyMap<string, readonly string[]> | undefined

  function shelfFor(group: string, model: string): Shelf<T> {
    let shelves = groups.get(group)
    if (!shelves) {
      shelves = { byModel: new Map(), names: undefined }
      groups.set(group, shelves)
    }
    let shelf = shelves.byModel.get(model)
    if (!shelf) {
      shelf = { sorted: [], pools: new Map() }
      shelves.byModel.set(model, shelf)
      changed(shelves, model, 1)
    }
    return shelf
  }

  function clear(group: string, shelves: GroupShelves<T>, model: string): void {
    shelves.byModel.delete(model)
    changed(shelves, model, -1)
    if (shelves.byModel.size === 0) groups.delete(group)
  }

  function changed(shelves: GroupShelves<T>, model: string, by: 1 | -1): void {
    const count = (groupCounts.get(model) ?? 0) + by
    if (count) groupCounts.set(model, count)
    else groupCounts.delete(model)
    shelves.names = undefined
    inverse = undefined
  }

  return {
    add(channel) {
      for (const group of channel.groups) {
        for (const model of channel.models) {
          const { sorted, pools } = shelfFor(group, model)
          sorted.splice(placeOf(channel, sorted), 0, channel)
          pools.clear()
        }
      }
    },

    remove(channel) {
      for (const group of channel.groups) {
        const shelves = groups.get(group)
        for (const model of channel.models) {
          const shelf = shelves?.byModel.get(model)
          const place = shelf ? placeOf(channel, shelf.sorted) : -1
          if (!shelves || !shelf || shelf.sorted[place] !== channel) continue
          shelf.sorted.splice(place, 1)
          shelf.pools.clear()
          if (shelf.sorted.length === 0) clear(group, shelves, model)
        }
      }
    },

    pool(group, model, operation) {
      const shelf = groups.get(group)?.byModel.get(model)
      // Names that nobody offers leave nothing behind.
      if (!shelf) return EMPTY_POOL
      const key = operation ?? ''
      let pool = shelf.pools.get(key)
      if (!pool) {
        const { sorted } = shelf
        pool = poolOfSorted(operation ? sorted.filter(({ type }) => type.operations.includes(operation)) : sorted)
        shelf.pools.set(key, pool)
      }
      return pool
    },

    has: (model) => groupCounts.has(model),

    models(group) {
      const shelves = groups.get(group)
      if (!shelves) return []
      shelves.names ??= [...shelves.byModel.keys()].sort()
      return shelves.names
    },

    groupsByModel() {
      inverse ??= inverted(groups)
      return inverse
    },
  }
}

function inverted(groups: ReadonlyMap<string, GroupShelves<Offering>>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [group, { byModel }] of groups) {
    for (const model of byModel.keys()) {
      const names = found.get(model)
      if (names) names.push(group)
      else found.set(model, [group])
    }
  }
  return found
}

/** Where a channel stands among the sorted, or belongs. */
function placeOf<T extends Offering>(channel: T, sorted: readonly T[]): number {
  const last = sorted.at(-1)
  // Whoever fills the lists comes in their order.
  if (!last || byPriority(last, channel) < 0) return sorted.length
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (byPriority(sorted[middle] as T, channel) < 0) low = middle + 1
    else high = middle
  }
  return low
}
