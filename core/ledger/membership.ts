import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { randomHex } from '../secrets.ts'
import { beat, endEpochs, listNodes, type NodeRow, register, unregister } from './nodes.ts'

const BEAT_EVERY_MS = 5_000
/** A process is dead if its last beat is this old by the database's clock … */
const DEAD_AFTER_S = 30
/** … and if the observer has seen the same beat for this long, by its own monotonic clock. */
const SAME_BEAT_MS = 15_000
/** A database whose clock was set back never makes a process dead: the same beat for this long is enough. */
const SAME_BEAT_MAX_MS = 40_000
/** A process trusts its epoch for a shorter time than others need to end it. */
const TRUSTED_MS = 25_000

/**
 * This process among those that share the balances. It lives in *epochs*: it registers under a new random id, and beats. If it
 * stops beating, other processes end its epoch and release its reserves. A process that was paused or disconnected finds its
 * epoch ended at its next write: every write of reserves and charges checks the epoch in the same transaction.
 */
export interface Membership {
  /** The current epoch; empty before the process has joined, and while a new epoch begins. */
  readonly nodeId: string
  join(): Promise<void>
  /** Whether this epoch cannot have been ended by another process yet, by this process's monotonic clock. */
  isTrusted(): boolean
  /** When the last beat was committed, in milliseconds of the monotonic clock; undefined before the first. */
  readonly lastBeatMs: number | undefined
  /** Beats now. Throws if the database does not reply. */
  confirm(): Promise<void>
  /** Begins a new epoch, if `current` is the current one. Throws if the database does not reply. */
  renew(current: string): Promise<void>
  /** Looks for dead processes now, instead of at the next beat. */
  releaseDead(): Promise<void>
  /** Ends the epoch, and releases its reserves. */
  leave(): Promise<void>
}

export function createMembership({
  db,
  clock,
  monotonicMs,
  onEpoch,
  onFailure,
}: {
  db: Database
  clock: Clock
  monotonicMs: () => number
  /** `ended`: the reserves of the old epoch are released. `begun`: open holds can be reserved again. */
  onEpoch: { ended: () => void; begun: () => void }
  onFailure: (error: unknown) => void
}): Membership {
  let nodeId = ''
  let joining: Promise<void> | undefined
  let renewing: Promise<void> | undefined
  let confirming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let trustedUntilMs = 0
  let lastBeatMs: number | undefined
  /** The highest beat known to be committed, and the highest attempted. */
  let beats = { confirmed: 0, tried: 0 }
  const observed = new Map<string, { beats: number; sinceMs: number }>()

  /** Epochs that this process abandoned but has not yet removed from the database: their reserves must be released. */
  const ended = new Set<string>()

  async function begin(): Promise<void> {
    const startedAtMs = monotonicMs()
    const id = randomHex(24)
    await db.transaction(async (trx) => {
      for (const old of ended) await unregister(trx, old)
      await register(trx, { id, seenAt: await clock(trx) })
    })
    ended.clear()
    nodeId = id
    beats = { confirmed: 0, tried: 0 }
    trust(startedAtMs)
  }

  function trust(beganAtMs: number): void {
    lastBeatMs = beganAtMs
    trustedUntilMs = beganAtMs + TRUSTED_MS
  }

  function join(): Promise<void> {
    joining ??= begin().then(
      () => {
        timer = setInterval(() => void turn(), BEAT_EVERY_MS).unref()
      },
      (error) => {
        joining = undefined
        throw error
      },
    )
    return joining
  }

  async function turn(): Promise<void> {
    try {
      await confirm()
      await releaseDead()
    } catch (error) {
      onFailure(error)
    }
  }

  function confirm(): Promise<void> {
    confirming ??= (renewing ?? beatOnce()).finally(() => {
      confirming = undefined
    })
    return confirming
  }

  async function beatOnce(): Promise<void> {
    const id = nodeId
    const startedAtMs = monotonicMs()
    const next = beats.tried + 1
    beats.tried = next
    const expected = { min: beats.confirmed, max: next - 1 }
    const isAlive = await db.transaction(async (trx) => beat(trx, { id, expected, next, seenAt: await clock(trx) }))
    if (!isAlive) return renew(id)
    if (id !== nodeId) return
    beats.confirmed = next
    trust(startedAtMs)
  }

  function renew(current: string): Promise<void> {
    if (current !== nodeId) return renewing ?? Promise.resolve()
    renewing ??= startOver().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  async function startOver(): Promise<void> {
    if (nodeId !== '') ended.add(nodeId)
    nodeId = ''
    trustedUntilMs = 0
    onEpoch.ended()
    await begin()
    onEpoch.begun()
  }

  /** Returns the processes whose beat has not changed for too long. A process with a wrong clock still changes its beat. */
  async function findDead(): Promise<NodeRow[]> {
    const [nodes, now, nowMs] = [await listNodes(db.reader), await clock(db.reader), monotonicMs()]
    const dead = nodes.filter(({ id, beats: count, seen_at }) => {
      const before = observed.get(id)
      if (before?.beats !== count) observed.set(id, { beats: count, sinceMs: nowMs })
      if (before?.beats !== count || id === nodeId) return false
      const sameForMs = nowMs - before.sinceMs
      return sameForMs >= SAME_BEAT_MAX_MS || (sameForMs >= SAME_BEAT_MS && now - seen_at > DEAD_AFTER_S)
    })
    const listed = new Set(nodes.map(({ id }) => id))
    for (const id of observed.keys()) if (!listed.has(id)) observed.delete(id)
    return dead
  }

  async function releaseDead(): Promise<void> {
    const dead = await findDead()
    if (dead.length > 0) await db.transaction((trx) => endEpochs(trx, dead))
  }

  return {
    get nodeId() {
      return nodeId
    },
    get lastBeatMs() {
      return lastBeatMs
    },
    join,
    isTrusted: () => monotonicMs() < trustedUntilMs,
    confirm,
    renew,
    releaseDead,
    async leave() {
      clearInterval(timer)
      if (!joining) return
      await joining
      await confirming?.catch(() => {})
      await renewing?.catch(() => {})
      await db.transaction(async (trx) => {
        for (const id of [...ended, nodeId]) if (id) await unregister(trx, id)
      })
    },
  }
}
