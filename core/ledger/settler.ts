import type { Database } from '../db/database.ts'
import { OutcomeUnknownError } from '../db/postgres-transactions.ts'
import { DATABASE_WAIT_MS, isDatabaseUnavailable } from '../db/unavailable.ts'
import { isCheckViolation, isValueRefused } from '../errors.ts'
import type { Settlement } from './batch.ts'
import type { SettleOutcome } from './charge.ts'
import type { Journal } from './journal.ts'
import { toRecord } from './journal-record.ts'
import { settlementStatement } from './postgres-batch.ts'
import { ReserveMismatch, type SettlementResult, type WriteContext, writeSettlements } from './settlement.ts'
import { settlementScript } from './sqlite-batch.ts'

const RETRY_MS = 250
/** One transaction stays short enough that the next writer does not wait long. */
const BATCH_MAX = 500
/** How long a process that closes waits for a database that does not answer, when its charges are in the journal. */
const CLOSE_MS = 3_000
/** After this time, the end of a reply does not wait for the database any more: the journal has its charge. */
const LATE_MS = DATABASE_WAIT_MS

/** A settlement on its way into the database. */
interface Queued {
  readonly settlement: Settlement
  /** Tells the relay once; later calls do nothing. */
  report: (outcome: SettleOutcome) => void
  isReported: boolean
  isJournaled: boolean
}

/** Charges that could be written neither to the database nor to the journal when the process had to end. */
export class UnstoredChargesError extends Error {
  override readonly name = 'UnstoredChargesError'
  constructor(readonly requestIds: readonly string[]) {
    super(`${requestIds.length} charges could not be stored: ${requestIds.join(', ')}`)
  }
}

/** Writes charges, many in one transaction, and never drops one. */
export interface Settler {
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Writes charges of an earlier process; resolves when all are in the database. */
  replay(settlements: readonly Settlement[]): Promise<void>
  /** When a batch was last committed, in milliseconds of the monotonic clock. */
  readonly lastCommitMs: number | undefined
  /** Writes what waits. Throws UnstoredChargesError; charges that are in the journal may stay there. */
  close(): Promise<void>
}

export function createSettler({
  db,
  journal,
  epoch,
  context,
  restore,
  onFailure,
  repair,
}: {
  db: Database
  journal: Journal
  epoch: { current: () => string; isTrusted: () => boolean; renew: (ended: string) => Promise<void> }
  context: () => Omit<WriteContext, 'nodeId'>
  /** Takes back what a settlement took from the reserve in memory: its rows were not changed. */
  restore: (settlement: Settlement) => void
  onFailure: (error: unknown) => void
  /** Repairs what keeps the database from taking rows, if it can. */
  repair: (error: unknown) => Promise<void>
}): Settler {
  let queue: Queued[] = []
  let running: Promise<void> | undefined
  let closing = false
  let isJournalUsed = false
  let batchMax = BATCH_MAX
  let lastCommitMs: number | undefined
  /** Those that a transaction with an unknown outcome may have written: found in the books, they are its own. */
  const maybeWritten = new Set<Settlement>()

  /** While one transaction runs, the next batch gathers. */
  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Those that end in the same turn share a transaction. Waiting longer for others makes fewer, larger batches, and costs
      // every relay more time than it saves CPU: all that end while a transaction runs share the next one anyway.
      await new Promise<void>((resolve) => setImmediate(resolve))
      // A batch stays in the queue until it is written: a process that closes meanwhile puts it into the journal.
      const batch = queue.slice(0, batchMax)
      if (await write(batch)) {
        queue.splice(0, batch.length)
        batchMax = Math.min(BATCH_MAX, batchMax * 2)
        if (isJournalUsed && queue.length === 0) await clearJournal()
      } else if (closing) break
    }
    running = undefined
  }

  /** Answers whether the batch is in the database; else the database was away, and what could be is in the journal. */
  async function write(batch: Queued[]): Promise<boolean> {
    // The transaction goes on. What it writes after all, a replay of the journal finds in the books.
    const late = setInterval(() => void keepLate().catch(onFailure), LATE_MS)
    try {
      const outcomes = await commit(batch.map(({ settlement }) => settlement))
      lastCommitMs = performance.now()
      for (const queued of batch) {
        const outcome = outcomes?.get(queued.settlement) ?? 'settled'
        // The client got its reply while the batch was on its way: it is charged after all, as one that is owed.
        if (outcome === 'lost' && queued.isJournaled) queue.push(queued)
        else queued.report(outcome)
      }
      return true
    } catch (error) {
      onFailure(error)
      await repair(error).catch(onFailure)
      if (isMismatch(error)) await epoch.renew(epoch.current()).catch(onFailure)
      await keep(queue)
      queue = queue.filter(isPending)
      if (isValueRefused(error)) isolate(batch.length)
      if (!closing) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      return false
    } finally {
      clearInterval(late)
    }
  }

  /** Lets relays end whose charges wait for a transaction that takes too long. The others may be dropped only when it has failed. */
  async function keepLate(): Promise<void> {
    const waiting = queue.filter((queued) => !queued.isReported && !queued.isJournaled)
    if (waiting.length === 0 || !epoch.isTrusted()) return
    await append(waiting)
    for (const { report } of waiting) report('settled')
  }

  /** Lets others pass a charge that the database will never take: it is found by halves, and goes to the end of the queue. */
  function isolate(length: number): void {
    if (length === 1) queue.push(...queue.splice(0, 1))
    batchMax = Math.max(1, Math.floor(length / 2))
  }

  /** undefined: all are settled. */
  async function commit(settlements: Settlement[]): Promise<ReadonlyMap<Settlement, SettleOutcome> | undefined> {
    if (await commitAtOnce(settlements)) return undefined
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
      for (const settlement of result?.written ?? []) maybeWritten.add(settlement)
      throw error
    }
    for (const settlement of settlements) {
      if (result.written.has(settlement) || maybeWritten.delete(settlement)) continue
      // A process that took the journal over has written it, and its reserve is smaller by it.
      if (settlement.isOwed && !result.outcomes.has(settlement)) continue
      restore(settlement)
    }
    // Not awaited: what waits is settled from the balance, not from the reserve that has ended.
    if (!result.isCurrent) epoch.renew(current).catch(onFailure)
    return result.outcomes
  }

  /** The fast way: one script or statement. `false`: the careful way finds out what is unusual, or what was written. */
  async function commitAtOnce(settlements: Settlement[]): Promise<boolean> {
    const current = epoch.current()
    const { logged, now, counted } = context()
    const isUsual = ({ nodeId, at, isOwed }: Settlement) => nodeId === current && at === undefined && !isOwed
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
      // The careful way would only wait as long again.
      else if (isDatabaseUnavailable(error)) throw error
      return false
    }
  }

  /** Puts charges into the journal, and lets their relays end. */
  async function keep(all: readonly Queued[]): Promise<void> {
    const pending = all.filter(({ isJournaled }) => !isJournaled)
    // Another process may have released these holds: the client must not get the end of its reply. If the charge may be in
    // the books already, the client gets what it may have paid for.
    const isTrusted = epoch.isTrusted()
    const isLost = ({ settlement }: Queued) => !isTrusted && !maybeWritten.has(settlement)
    for (const queued of pending) if (isLost(queued) && !queued.settlement.charge.isDelivered) drop(queued)
    const kept = pending.filter(isPending)
    if (kept.length === 0) return
    const unkept = new Set(await appendMost(kept))
    for (const queued of kept) {
      if (!unkept.has(queued)) queued.report(isLost(queued) ? 'lost' : 'settled')
      else if (queued.settlement.charge.isDelivered) queued.report('lost')
      else drop(queued)
    }
  }

  /** Appends as many as there is room for. Returns the others. */
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
    // Before it is there: a batch that is written meanwhile clears the journal behind it.
    isJournalUsed = true
    const settlements = kept.map(({ settlement }) => settlement)
    await journal.append(toRecord(settlements, context().now))
    for (const queued of kept) {
      queued.isJournaled = true
      queued.settlement.isOwed = true
    }
  }

  /** The client does not get the reply, and is not charged. */
  function drop({ settlement, report }: Queued): void {
    restore(settlement)
    report('lost')
  }

  async function clearJournal(): Promise<void> {
    await journal.clear().catch(onFailure)
    isJournalUsed = false
  }

  /** A reply that the client did not get is not charged: it leaves the queue. */
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

  /** A process whose memory and rows disagree starts over with new ones. */
  const isMismatch = (error: unknown): boolean => error instanceof ReserveMismatch || isCheckViolation(error)

  return {
    get lastCommitMs() {
      return lastCommitMs
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
      await keep(queue)
      const unstored = queue.filter((queued) => !queued.isJournaled && isPending(queued))
      await journal.close()
      if (unstored.length) throw new UnstoredChargesError(unstored.map(({ settlement }) => settlement.charge.requestId))
    },
  }
}
