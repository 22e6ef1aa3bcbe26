import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { randomHex } from '../secrets.ts'
import { beat, endEpochs, listNodes, type NodeRow, registerNode, unregister } from './nodes.ts'

const BEAT_EVERY_MS = 5_000
/** A process is dead if the database's clock shows a beat older than this, and no new beat came for SAME_BEAT_MS. */
const DEAD_AFTER_S = 30
/** Time without a new beat, by the monotonic clock of the process that looks for dead processes. */
const SAME_BEAT_MS = 15_000
/** A process without a new beat for this time is dead. The database's clock is not used, because it can be set back. */
const SAME_BEAT_MAX_MS = 40_000
/** Time for which a process trusts its epoch after a beat. Other processes can end the epoch only later. */
const TRUSTED_MS = 25_000

/**
 * The membership of this process among the processes that use the ledger. An *epoch* begins when the process registers
 * under a new random id. During the epoch, the process regularly writes a heartbeat (*beat*): a counter and the time.
 * If the beats stop, other processes end the epoch and release its reserves.
 *
 * Every write of reserves and charges checks the epoch in the same transaction. So if a process was paused or
 * disconnected, it notices at its next write that its epoch has ended.
 */
export function createMembership(parts: {
  db: Database
  clock: Clock
  monotonicMs: () => number
  /** `ended`: the reserves of the old epoch are invalid. `begun`: open holds can be reserved again. */
  onEpoch: { ended: () => void; begun: () => void }
  onFailure: (error: unknown) => void
}) {
  const { db, clock, monotonicMs, onEpoch, onFailure } = parts
  let nodeId = ''
  let joining: Promise<void> | undefined
  let renewing: Promise<void> | undefined
  let confirming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let trustedUntilMs = 0
  let lastBeatMs: number | undefined
  /** The number of the last beat that was certainly committed, and of the last attempted beat. */
  let beats = { confirmed: 0, tried: 0 }
  const observations = new Map<string, { beats: number; sinceMs: number }>()

  /** Epochs that this process has left but whose rows and reserves are still in the database. */
  const leftEpochs = new Set<string>()

  async function begin(): Promise<void> {
    const startedAtMs = monotonicMs()
    const id = randomHex(24)
    await db.transaction(async (trx) => {
      for (const old of leftEpochs) await unregister(trx, old)
      await registerNode(trx, { id, seenAt: await clock(trx) })
    })
    leftEpochs.clear()
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
        timer = setInterval(() => void beatAndCheck(), BEAT_EVERY_MS).unref()
      },
      (error) => {
        joining = undefined
        throw error
      },
    )
    return joining
  }

  async function beatAndCheck(): Promise<void> {
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
    if (nodeId !== '') leftEpochs.add(nodeId)
    nodeId = ''
    trustedUntilMs = 0
    onEpoch.ended()
    await begin()
    onEpoch.begun()
  }

  /** Returns the processes whose beats have stopped. Does not use the clocks of these processes, which may be wrong. */
  async function findDead(): Promise<NodeRow[]> {
    const [nodes, now, nowMs] = [await listNodes(db.reader), await clock(db.reader), monotonicMs()]
    const dead = nodes.filter(({ id, beats: count, seen_at }) => {
      const observation = observations.get(id)
      if (observation?.beats !== count) {
        observations.set(id, { beats: count, sinceMs: nowMs })
        return false
      }
      const sameForMs = nowMs - observation.sinceMs
      const isOverdue = sameForMs >= SAME_BEAT_MS && now - seen_at > DEAD_AFTER_S
      return id !== nodeId && (isOverdue || sameForMs >= SAME_BEAT_MAX_MS)
    })
    const listed = new Set(nodes.map(({ id }) => id))
    for (const id of observations.keys()) if (!listed.has(id)) observations.delete(id)
    return dead
  }

  async function releaseDead(): Promise<void> {
    const dead = await findDead()
    if (dead.length > 0) await db.transaction((trx) => endEpochs(trx, dead))
  }

  return {
    /** The id of the current epoch. Empty before the process has joined, and while it begins a new epoch. */
    get nodeId(): string {
      return nodeId
    },
    /** When the last committed beat began, in milliseconds of the monotonic clock. Undefined before the first beat. */
    get lastBeatMs(): number | undefined {
      return lastBeatMs
    },
    /** Begins the first epoch and starts to write beats. Later calls return the same promise. */
    join,
    /** Whether the last beat is so recent, by the monotonic clock, that no other process can have ended the epoch. */
    isTrusted: (): boolean => monotonicMs() < trustedUntilMs,
    /** Writes a beat immediately. If the epoch has ended, begins a new one. Throws if the database does not reply. */
    confirm,
    /** Begins a new epoch if `current` is still this process's epoch. Throws if the database does not reply. */
    renew,
    /** Looks for dead processes immediately, instead of at the next beat. */
    releaseDead,
    /** Stops the beats, ends the epoch and releases its reserves. */
    async leave(): Promise<void> {
      clearInterval(timer)
      if (!joining) return
      await joining
      await confirming?.catch(() => {})
      await renewing?.catch(() => {})
      await db.transaction(async (trx) => {
        for (const id of [...leftEpochs, nodeId]) if (id) await unregister(trx, id)
      })
    },
  }
}
