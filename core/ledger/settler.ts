import type { Database } from '../db/database.ts'
import { DATABASE_WAIT_MS, isDatabaseUnavailable, OutcomeUnknownError } from '../db/unavailable.ts'
import { isCheckViolation, isValueRefused } from '../errors.ts'
import type { Settlement } from './batch.ts'
import type { Charge, SettleOutcome } from './charge.ts'
import { type Journal, toRecord } from './journal.ts'
import { isFunctionUnusable, settlementStatement } from './postgres-batch.ts'
import { ReserveMismatch, type SettlementContext, type SettlementResult, writeSettlements } from './settlement.ts'
import { settlementScript } from './sqlite-batch.ts'

const RETRY_MS = 250
/** Maximum number of charges per transaction, so that the next writer does not wait long. */
const BATCH_MAX = 500
/**
 * A batch gathers charges until it has this many, for at most this time, or until no more arrive or no hold is open. On
 * SQLite a charge costs 18 µs of CPU in a batch of 12, and 10 µs in a batch of 30.
 */
const GATHERED_MAX = 32
const GATHER_MS_MAX = 4
/**
 * A batch stops gathering after this number of consecutive event-loop turns without a new charge. On PostgreSQL, a
 * commit takes longer, so more charges arrive during the commit anyway.
 */
const IDLE_TURNS_MAX = { sqlite: 8, postgres: 2 }
/** How long a closing process waits for the database to write the remaining charges. */
const CLOSE_MS = 3_000
/** Time after which an uncommitted batch is appended to the journal, so that its replies can end. */
const LATE_MS = DATABASE_WAIT_MS

/** A settlement that is not yet in the database. */
interface Queued {
  readonly settlement: Settlement
  /** Resolves the promise of the relay. Later calls do nothing. */
  report: (outcome: SettleOutcome) => void
  isReported: boolean
  isJournaled: boolean
}

/** Thrown by `close` if neither the database nor the journal could store some charges. */
class UnstoredChargesError extends Error {
  override readonly name = 'UnstoredChargesError'
  constructor(readonly requestIds: readonly string[]) {
    super(`${requestIds.length} charges could not be stored: ${requestIds.join(', ')}`)
  }
}

/** Called after each commit with its charges and its duration in milliseconds. Each charge is reported once. */
export type CommitListener = (charges: readonly Charge[], ms: number) => void

/** Writes charges, many in one transaction, and retries until they are written. */
export function createSettler(parts: {
  db: Database
  journal: Journal
  epoch: { current: () => string; isTrusted: () => boolean; renew: (ended: string) => Promise<void> }
  context: () => Omit<SettlementContext, 'nodeId'>
  /** Number of holds that are not settled or released yet. */
  openHolds: () => number
  /** Called if a settlement changed no rows. Adds the subtracted quota to the reserve in memory again. */
  restore: (settlement: Settlement) => void
  onCommitted: CommitListener
  onFailure: (error: unknown) => void
  /** Fixes the cause of a failed batch if possible. */
  repair: (error: unknown) => Promise<void>
}) {
  const { db, journal, epoch, context, openHolds, restore, onCommitted, onFailure, repair } = parts
  let queue: Queued[] = []
  let running: Promise<void> | undefined
  let closing = false
  let isJournalUsed = false
  let batchMax = BATCH_MAX
  let lastCommitMs: number | undefined
  /** When the first attempt to write the current batch began. */
  let waitingSinceMs: number | undefined
  let hasReportedOnce = false
  /** Settlements that a transaction with unknown outcome may have written. If one is booked, this process wrote it. */
  const maybeWritten = new Set<Settlement>()

  /** Writes batches until the queue is empty. While a transaction runs, more charges arrive for the next batch. */
  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gather()
      // Keep a batch in the queue until it is written, so that `close` can write it to the journal.
      const batch = queue.slice(0, batchMax)
      waitingSinceMs ??= performance.now()
      if (await write(batch)) {
        queue.splice(0, batch.length)
        waitingSinceMs = undefined
        batchMax = Math.min(BATCH_MAX, batchMax * 2)
        if (isJournalUsed && queue.length === 0) await clearJournal()
      } else if (closing) break
    }
    // If all charges of a failed batch were dropped, no later batch resets this time.
    if (queue.length === 0) waitingSinceMs = undefined
    running = undefined
  }

  /** Waits while more charges may arrive, because charges share a transaction's fixed cost. Each ends an open hold. */
  async function gather(): Promise<void> {
    const untilMs = performance.now() + GATHER_MS_MAX
    let idleTurns = 0
    const mayGrow = () => queue.length < GATHERED_MAX && openHolds() > 0
    while (mayGrow() && idleTurns < IDLE_TURNS_MAX[db.kind] && performance.now() < untilMs) {
      const { length } = queue
      await new Promise<void>((resolve) => setImmediate(resolve))
      idleTurns = queue.length === length ? idleTurns + 1 : 0
    }
  }

  /** Writes a batch and returns whether this succeeded. If not, tries to append all queued charges to the journal. */
  async function write(batch: Queued[]): Promise<boolean> {
    // A late transaction is not aborted. If it commits, a replay of the journal skips its charges, because they are
    // booked.
    const lateTimer = setInterval(() => void journalLate().catch(onFailure), LATE_MS)
    try {
      const startedMs = performance.now()
      const { outcomes, charges } = await commit(batch.map(({ settlement }) => settlement))
      lastCommitMs = performance.now()
      notifyCommitted(charges, lastCommitMs - startedMs)
      for (const queued of batch) {
        const outcome = outcomes?.get(queued.settlement) ?? 'settled'
        // The charge was journaled during this write, so the client may have the whole reply. Retry it: `isJournaled`
        // is now set.
        if (outcome === 'lost' && queued.isJournaled) queue.push(queued)
        else queued.report(outcome)
      }
      return true
    } catch (error) {
      onFailure(error)
      await repair(error).catch(onFailure)
      if (isMismatch(error)) await epoch.renew(epoch.current()).catch(onFailure)
      await journalPending()
      queue = queue.filter(isPending)
      if (isValueRefused(error)) halveBatch(batch.length)
      if (!closing) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      return false
    } finally {
      clearInterval(lateTimer)
    }
  }

  function notifyCommitted(charges: readonly Charge[], ms: number): void {
    try {
      onCommitted(charges, ms)
    } catch (error) {
      // The batch is in the database, so an error of a listener must not cause a retry.
      onFailure(error)
    }
  }

  /**
   * Appends charges to the journal if their transaction takes too long, so that their relays can end. Does nothing if
   * the epoch is not trusted, because the transaction may then find that the charges are lost.
   */
  async function journalLate(): Promise<void> {
    const waiting = queue.filter((queued) => !queued.isReported && !queued.isJournaled)
    if (waiting.length === 0 || !epoch.isTrusted()) return
    await append(waiting)
    for (const { report } of waiting) report('settled')
  }

  /**
   * Halves the batches, to isolate a charge that the database always rejects. If a batch has only one charge, moves
   * this charge to the end of the queue, so that the others are written.
   */
  function halveBatch(length: number): void {
    if (length === 1) queue.push(...queue.splice(0, 1))
    batchMax = Math.max(1, Math.floor(length / 2))
  }

  /** Writes settlements. Without `outcomes`, all are settled. `charges` are the charges that this process wrote. */
  async function commit(
    settlements: Settlement[],
  ): Promise<{ outcomes?: ReadonlyMap<Settlement, SettleOutcome>; charges: readonly Charge[] }> {
    if (await commitAtOnce(settlements)) return { charges: settlements.map(({ charge }) => charge) }
    const charges: Charge[] = []
    let result: SettlementResult | undefined
    const current = epoch.current()
    try {
      result = await db.transaction(async (trx) => {
        result = undefined
        result = await writeSettlements(trx, settlements, { ...context(), nodeId: current })
        return result
      })
    } catch (error) {
      // If there is a result, all statements have succeeded and only the reply to COMMIT is missing.
      for (const settlement of result?.written.keys() ?? []) maybeWritten.add(settlement)
      throw error
    }
    for (const settlement of settlements) {
      const written = result.written.get(settlement)
      if (written || maybeWritten.delete(settlement)) {
        charges.push((written ?? settlement).charge)
        continue
      }
      // Another process has replayed this journal. So the row of the reserve was already reduced by the charge.
      if (settlement.isJournaled && !result.outcomes.has(settlement)) continue
      restore(settlement)
    }
    // Do not wait for the new epoch. Until it begins, charges of the old epoch are paid from the balance instead of the
    // reserve.
    if (!result.isCurrent) epoch.renew(current).catch(onFailure)
    return { outcomes: result.outcomes, charges }
  }

  /**
   * Tries to write the batch with one script or statement. Returns `false` if the batch is unusual, a statement failed,
   * or the outcome is unknown. `writeSettlements` then handles the batch. Throws if the database is unavailable.
   */
  async function commitAtOnce(settlements: Settlement[]): Promise<boolean> {
    const current = epoch.current()
    const { hasLogRows, now, isCounted } = context()
    const isUsual = ({ nodeId, isJournaled }: Settlement) => nodeId === current && !isJournaled
    if (!hasLogRows || !settlements.every(isUsual)) return false
    const options = { now, isCounted, nodeId: current }
    try {
      if (db.script) await db.script(settlementScript(settlements, options))
      else if (db.statement && !settlements.some(({ charge }) => charge.task)) {
        await db.statement(settlementStatement(settlements, options))
      } else return false
      return true
    } catch (error) {
      if (error instanceof OutcomeUnknownError) for (const settlement of settlements) maybeWritten.add(settlement)
      // Do not try `writeSettlements`, because it would wait for the same database.
      else if (isDatabaseUnavailable(error)) throw error
      else if (isFunctionUnusable(error)) reportOnce(error)
      return false
    }
  }

  /** Reports an error that every batch has, and that only makes batches slower. */
  function reportOnce(error: unknown): void {
    if (!hasReportedOnce) onFailure(error)
    hasReportedOnce = true
  }

  /** Appends the queued charges to the journal and ends their relays. */
  async function journalPending(): Promise<void> {
    const pending = queue.filter(({ isJournaled }) => !isJournaled)
    // If the epoch is not trusted, another process may have released these holds. So the clients must not get the end
    // of their replies. Charges that may be booked already are an exception.
    const isTrusted = epoch.isTrusted()
    const isLost = ({ settlement }: Queued) => !isTrusted && !maybeWritten.has(settlement)
    for (const queued of pending) if (isLost(queued) && !queued.settlement.charge.isDelivered) drop(queued)
    const journaled = pending.filter(isPending)
    if (journaled.length === 0) return
    const unstored = new Set(await appendMost(journaled))
    for (const queued of journaled) {
      if (!unstored.has(queued)) queued.report(isLost(queued) ? 'lost' : 'settled')
      else if (queued.settlement.charge.isDelivered) queued.report('lost')
      else drop(queued)
    }
  }

  /** Appends as many charges to the journal as the disk can store. Returns the charges that were not stored. */
  async function appendMost(charges: readonly Queued[]): Promise<readonly Queued[]> {
    try {
      await append(charges)
      return []
    } catch (error) {
      if (charges.length === 1) {
        onFailure(error)
        return charges
      }
      const half = Math.ceil(charges.length / 2)
      return [...(await appendMost(charges.slice(0, half))), ...(await appendMost(charges.slice(half)))]
    }
  }

  async function append(charges: readonly Queued[]): Promise<void> {
    // Set `isJournalUsed` before the append. A batch that is written during the append must clear the journal
    // afterward.
    isJournalUsed = true
    const settlements = charges.map(({ settlement }) => settlement)
    await journal.append(toRecord(settlements, context().now))
    for (const queued of charges) {
      queued.isJournaled = true
      queued.settlement.isJournaled = true
    }
  }

  /** Drops a charge: the client is not charged and does not get the end of its reply. */
  function drop({ settlement, report }: Queued): void {
    restore(settlement)
    report('lost')
  }

  async function clearJournal(): Promise<void> {
    await journal.clear().catch(onFailure)
    isJournalUsed = false
  }

  /** Returns whether a charge must stay in the queue. An undelivered charge that was reported as lost is dropped. */
  const isPending = ({ isReported, isJournaled, settlement }: Queued): boolean =>
    !isReported || isJournaled || settlement.charge.isDelivered === true

  function enqueue(settlement: Settlement, { isJournaled }: { isJournaled: boolean }): Promise<SettleOutcome> {
    return new Promise((resolve) => {
      const queued: Queued = {
        settlement,
        isJournaled,
        isReported: false,
        report(outcome) {
          queued.isReported = true
          resolve(outcome)
        },
      }
      queue.push(queued)
      running ??= run()
    })
  }

  /** Returns whether an error shows that the reserves in memory and in the rows disagree. */
  const isMismatch = (error: unknown): boolean => error instanceof ReserveMismatch || isCheckViolation(error)

  return {
    /** When a batch was last committed, in milliseconds of the monotonic clock. Undefined before the first commit. */
    get lastCommitMs(): number | undefined {
      return lastCommitMs
    },
    /** Number of charges that are not committed yet. */
    get waiting(): number {
      return queue.length
    },
    /** Milliseconds since the first attempt to write the current batch. 0 if no batch is being written. */
    get waitingMs(): number {
      return waitingSinceMs === undefined ? 0 : performance.now() - waitingSinceMs
    },
    /** Queues a charge. Resolves when the charge is committed, in the journal, or certainly dropped. */
    settle: (settlement: Settlement): Promise<SettleOutcome> => enqueue(settlement, { isJournaled: false }),
    /** Writes charges from the journal of a dead process. Resolves when all are in the database. */
    async replay(settlements: readonly Settlement[]): Promise<void> {
      await Promise.all(settlements.map((settlement) => enqueue(settlement, { isJournaled: true })))
    },
    /** Writes the waiting charges to the database or, if it is late, to the journal. Throws UnstoredChargesError. */
    async close(): Promise<void> {
      closing = true
      const deadline = Date.now() + CLOSE_MS
      while (running && Date.now() < deadline) {
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, RETRY_MS))])
      }
      await journalPending()
      const unstored = queue.filter((queued) => !queued.isJournaled && isPending(queued))
      await journal.close()
      if (unstored.length) throw new UnstoredChargesError(unstored.map(({ settlement }) => settlement.charge.requestId))
    },
  }
}
