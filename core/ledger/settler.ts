import type { Database } from '../db/database.ts'
import { OutcomeUnknownError } from '../db/outcome-unknown.ts'
import { DATABASE_WAIT_MS, isDatabaseUnavailable } from '../db/unavailable.ts'
import { isCheckViolation, isValueRefused } from '../errors.ts'
import type { Settlement } from './batch.ts'
import type { Charge, SettleOutcome } from './charge.ts'
import type { Journal } from './journal.ts'
import { toRecord } from './journal-record.ts'
import { settlementStatement } from './postgres-batch.ts'
import { ReserveMismatch, type SettlementResult, type WriteContext, writeSettlements } from './settlement.ts'
import { settlementScript } from './sqlite-batch.ts'

const RETRY_MS = 250
/** Keeps each transaction short, so that the next writer does not wait long. */
const BATCH_MAX = 500
/** Bounds of waiting for more charges. On SQLite a charge costs 48 µs of CPU in a batch of 11, 33 in one of 20 and 26 in one of 32. */
const GATHERED_MAX = 32
const GATHER_MS_MAX = 4
/** How long a closing process waits for a database that does not reply, if its charges are in the journal. */
const CLOSE_MS = 3_000
/** After this time, a charge goes to the journal, and the end of its reply no longer waits for the database. */
const LATE_MS = DATABASE_WAIT_MS

/** A settlement that is not yet in the database. */
interface Queued {
  readonly settlement: Settlement
  /** Resolves the relay's promise; later calls do nothing. */
  report: (outcome: SettleOutcome) => void
  isReported: boolean
  isJournaled: boolean
}

/** Charges that neither the database nor the journal could store before the process ended. */
export class UnstoredChargesError extends Error {
  override readonly name = 'UnstoredChargesError'
  constructor(readonly requestIds: readonly string[]) {
    super(`${requestIds.length} charges could not be stored: ${requestIds.join(', ')}`)
  }
}

/** Writes charges, many in one transaction, and never drops one. */
export interface Settler {
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Writes charges of a dead process; resolves when all are in the database. */
  replay(settlements: readonly Settlement[]): Promise<void>
  /** When a batch was last committed, in milliseconds of the monotonic clock. */
  readonly lastCommitMs: number | undefined
  /** Charges that wait for their transaction. */
  readonly waiting: number
  /** How long the oldest of them has waited, in milliseconds. */
  readonly waitingMs: number
  /** Writes the waiting charges. Throws UnstoredChargesError; charges that are in the journal may stay there. */
  close(): Promise<void>
}

/** Gets each batch after its commit: each charge once, as written, and the duration of the transaction in milliseconds. */
export type CommitListener = (charges: readonly Charge[], ms: number) => void

export function createSettler({
  db,
  journal,
  epoch,
  context,
  restore,
  onCommitted,
  onFailure,
  repair,
}: {
  db: Database
  journal: Journal
  epoch: { current: () => string; isTrusted: () => boolean; renew: (ended: string) => Promise<void> }
  context: () => Omit<WriteContext, 'nodeId'>
  /** Restores a settlement's part of the reserve in memory: its rows were not changed. */
  restore: (settlement: Settlement) => void
  onCommitted: CommitListener
  onFailure: (error: unknown) => void
  /** Fixes the cause of a failed batch, if possible. */
  repair: (error: unknown) => Promise<void>
}): Settler {
  let queue: Queued[] = []
  let running: Promise<void> | undefined
  let closing = false
  let isJournalUsed = false
  let batchMax = BATCH_MAX
  let lastCommitMs: number | undefined
  /** Start of the running batch, or of the first batch that could not be written. */
  let waitingSinceMs: number | undefined
  /** Settlements that a transaction with an unknown outcome may have written: if they are booked, this process wrote them. */
  const maybeWritten = new Set<Settlement>()

  /** While one transaction runs, the next batch gathers. */
  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gather()
      // A batch stays in the queue until it is written: a process that closes meanwhile writes it to the journal.
      const batch = queue.slice(0, batchMax)
      waitingSinceMs ??= performance.now()
      if (await write(batch)) {
        queue.splice(0, batch.length)
        waitingSinceMs = undefined
        batchMax = Math.min(BATCH_MAX, batchMax * 2)
        if (isJournalUsed && queue.length === 0) await clearJournal()
      } else if (closing) break
    }
    running = undefined
  }

  /**
   * Waits while turns of the event loop bring more charges: a transaction has a fixed cost, which relays that end soon can share.
   * An idle process waits two turns.
   */
  async function gather(): Promise<void> {
    const untilMs = performance.now() + GATHER_MS_MAX
    let turnsWithout = 0
    while (turnsWithout < 2 && queue.length < GATHERED_MAX && performance.now() < untilMs) {
      const { length } = queue
      await new Promise<void>((resolve) => setImmediate(resolve))
      turnsWithout = queue.length === length ? turnsWithout + 1 : 0
    }
  }

  /** Returns whether the batch is in the database. If not, it is in the journal, as far as there was room. */
  async function write(batch: Queued[]): Promise<boolean> {
    // The transaction continues. If it commits later, a replay of the journal finds its charges booked.
    const late = setInterval(() => void journalLate().catch(onFailure), LATE_MS)
    try {
      const startedMs = performance.now()
      const { outcomes, charges } = await commit(batch.map(({ settlement }) => settlement))
      lastCommitMs = performance.now()
      report(charges, lastCommitMs - startedMs)
      for (const queued of batch) {
        const outcome = outcomes?.get(queued.settlement) ?? 'settled'
        // The client got its reply while the batch was being written: retry the charge as an owed one.
        if (outcome === 'lost' && queued.isJournaled) queue.push(queued)
        else queued.report(outcome)
      }
      return true
    } catch (error) {
      onFailure(error)
      await repair(error).catch(onFailure)
      if (isMismatch(error)) await epoch.renew(epoch.current()).catch(onFailure)
      await journalPending(queue)
      queue = queue.filter(isPending)
      if (isValueRefused(error)) halveBatch(batch.length)
      if (!closing) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      return false
    } finally {
      clearInterval(late)
    }
  }

  function report(charges: readonly Charge[], ms: number): void {
    try {
      onCommitted(charges, ms)
    } catch (error) {
      // The batch is written: a failure here must not write it again.
      onFailure(error)
    }
  }

  /**
   * Ends relays whose transaction takes too long. Charges without a trusted epoch wait: they may be dropped only when it has
   * failed.
   */
  async function journalLate(): Promise<void> {
    const waiting = queue.filter((queued) => !queued.isReported && !queued.isJournaled)
    if (waiting.length === 0 || !epoch.isTrusted()) return
    await append(waiting)
    for (const { report } of waiting) report('settled')
  }

  /**
   * Isolates a charge that the database always rejects by halving the batch, and moves it to the end of the queue, so that others
   * pass.
   */
  function halveBatch(length: number): void {
    if (length === 1) queue.push(...queue.splice(0, 1))
    batchMax = Math.max(1, Math.floor(length / 2))
  }

  /** Writes settlements. Without `outcomes`, all are settled; `charges` has those that this process wrote. */
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
      // All statements had succeeded: only the reply to COMMIT is missing.
      for (const settlement of result?.written.keys() ?? []) maybeWritten.add(settlement)
      throw error
    }
    for (const settlement of settlements) {
      const written = result.written.get(settlement)
      if (written || maybeWritten.delete(settlement)) {
        charges.push((written ?? settlement).charge)
        continue
      }
      // Another process has replayed this journal, and the reserve was already reduced by the charge.
      if (settlement.isOwed && !result.outcomes.has(settlement)) continue
      restore(settlement)
    }
    // Not awaited: charges of the ended epoch are settled from the balance instead of the reserve.
    if (!result.isCurrent) epoch.renew(current).catch(onFailure)
    return { outcomes: result.outcomes, charges }
  }

  /**
   * Tries one script or statement. Returns `false` if the batch is unusual or the outcome unknown: `writeSettlements` handles
   * both.
   */
  async function commitAtOnce(settlements: Settlement[]): Promise<boolean> {
    const current = epoch.current()
    const { logged, now, counted } = context()
    const isUsual = ({ nodeId, isOwed }: Settlement) => nodeId === current && !isOwed
    if (!logged || !settlements.every(isUsual)) return false
    const about = { now, counted, nodeId: current }
    try {
      if (db.script) await db.script(settlementScript(settlements, about))
      else if (db.statement && !settlements.some(({ charge }) => charge.task)) {
        await db.statement(settlementStatement(settlements, about))
      } else return false
      return true
    } catch (error) {
      if (error instanceof OutcomeUnknownError) for (const settlement of settlements) maybeWritten.add(settlement)
      // `writeSettlements` would wait for the same database.
      else if (isDatabaseUnavailable(error)) throw error
      return false
    }
  }

  /** Appends charges to the journal, and ends their relays. */
  async function journalPending(all: readonly Queued[]): Promise<void> {
    const pending = all.filter(({ isJournaled }) => !isJournaled)
    // Another process may have released these holds: the client must not get the end of its reply. But if the charge may already
    // be booked, the client gets the reply that it may have paid for.
    const isTrusted = epoch.isTrusted()
    const isLost = ({ settlement }: Queued) => !isTrusted && !maybeWritten.has(settlement)
    for (const queued of pending) if (isLost(queued) && !queued.settlement.charge.isDelivered) drop(queued)
    const journaled = pending.filter(isPending)
    if (journaled.length === 0) return
    const unkept = new Set(await appendMost(journaled))
    for (const queued of journaled) {
      if (!unkept.has(queued)) queued.report(isLost(queued) ? 'lost' : 'settled')
      else if (queued.settlement.charge.isDelivered) queued.report('lost')
      else drop(queued)
    }
  }

  /** Appends as many charges as the disk has room for. Returns the others. */
  async function appendMost(kept: readonly Queued[]): Promise<readonly Queued[]> {
    try {
      await append(kept)
      return []
    } catch (error) {
      if (kept.length === 1) {
        onFailure(error)
        return kept
      }
      const half = Math.ceil(kept.length / 2)
      return [...(await appendMost(kept.slice(0, half))), ...(await appendMost(kept.slice(half)))]
    }
  }

  async function append(kept: readonly Queued[]): Promise<void> {
    // Set before the append: a batch that is written meanwhile clears the journal afterwards.
    isJournalUsed = true
    const settlements = kept.map(({ settlement }) => settlement)
    await journal.append(toRecord(settlements, context().now))
    for (const queued of kept) {
      queued.isJournaled = true
      queued.settlement.isOwed = true
    }
  }

  /** The client does not get the end of the reply, and is not charged. */
  function drop({ settlement, report }: Queued): void {
    restore(settlement)
    report('lost')
  }

  async function clearJournal(): Promise<void> {
    await journal.clear().catch(onFailure)
    isJournalUsed = false
  }

  /** An undelivered reply is not charged, so it leaves the queue. */
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

  /** Whether memory and rows disagree: the process then starts a new epoch. */
  const isMismatch = (error: unknown): boolean => error instanceof ReserveMismatch || isCheckViolation(error)

  return {
    get lastCommitMs() {
      return lastCommitMs
    },
    get waiting() {
      return queue.length
    },
    get waitingMs() {
      return waitingSinceMs === undefined ? 0 : performance.now() - waitingSinceMs
    },
    settle: (settlement) => enqueue(settlement, { isJournaled: false }),
    async replay(settlements) {
      await Promise.all(settlements.map((settlement) => enqueue(settlement, { isJournaled: true })))
    },
    async close() {
      closing = true
      const deadline = Date.now() + CLOSE_MS
      while (running && Date.now() < deadline) {
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, RETRY_MS))])
      }
      await journalPending(queue)
      const unstored = queue.filter((queued) => !queued.isJournaled && isPending(queued))
      await journal.close()
      if (unstored.length) throw new UnstoredChargesError(unstored.map(({ settlement }) => settlement.charge.requestId))
    },
  }
}
