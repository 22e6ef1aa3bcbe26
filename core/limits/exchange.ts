import type { Knex } from 'knex'
import { fromJson, toJson } from '../db/json.ts'
import { requireRow } from '../db/require-row.ts'
import { lockEpoch } from '../ledger/nodes.ts'
import { grantOf, type Want } from '../ledger/want.ts'
import type { Rows } from '../tables/rows.ts'
import type { CountedLimit } from './limit.ts'
import { addAmount, nextAvailability, partAt, partsInWindow, sumOf, type WindowPart } from './windows.ts'

/**
 * A process takes amounts in advance only if the free amount is at least this many times the largest amount that one
 * request needs.
 */
export const ADVANCE_FREE_FACTOR = 1024
/**
 * Maximum amount to take in advance, as a fraction of the free amount. It bounds the amount that a crashed process takes
 * from the others.
 */
const SLICE = 1 / 32
/** Minimum time between two notices that a concurrency limit is exceeded, because such a limit has no window. */
const EXCESS_NOTICE_INTERVAL_MS = 3_600_000

/**
 * The request of one process for one limit and subject. It gives back amounts, takes amounts for waiting requests, and
 * takes an amount in advance.
 */
export interface ShareRequest {
  readonly limit: CountedLimit
  readonly subjectId: string
  /** Start of the part that the process uses, by the database's clock. May be in the future. -1 if there is none. */
  readonly start: number
  /**
   * Unused amounts to give back, by the start of the part from which they were taken. Ignored for concurrency limits, for
   * which `keptShare` implies the returned amount.
   */
  readonly returns: ReadonlyMap<number, number>
  /**
   * The share of a concurrency limit that the process keeps after returning its unused amount. The stored share becomes
   * this value plus what the request takes. Because the share is set and not added, repeating the request changes
   * nothing.
   */
  readonly keptShare: number
  /** Amount that requests have used beyond the process's share. It is counted even if the limit is full. */
  readonly owed: number
  readonly wants: readonly Want[]
  /** The largest amount that one client request of the last query needed. */
  readonly largest: number
  /** Maximum amount to take in advance. Less or nothing is taken if little is free. */
  readonly advance: number
  /** Maximum amount to take in advance from the next part of the window. */
  readonly nextAdvance: number
}

/** The database's reply. Times are milliseconds of the database's clock. */
export interface ShareReply {
  readonly part: WindowPart
  /** The granted amount of each want, or undefined if it was not granted. */
  readonly grants: readonly (number | undefined)[]
  /** The amount taken from `part`: the owed amount, the grants and the advance. */
  readonly taken: number
  /**
   * The share of the next part of the window. Undefined if none was requested, or if the process's part has ended.
   * `taken` may be 0.
   */
  readonly next: { readonly part: WindowPart; readonly taken: number } | undefined
  /** The amount that all processes may still take. */
  readonly remaining: number
  /** The time when the first want that did not fit may fit. If all wants fit, the time when more becomes available. */
  readonly availableAt: number
  /** Whether a want did not fit, for the first time in this window. For a concurrency limit: in the last hour. */
  readonly isFirstExcess: boolean
}

type Row = Omit<Rows['limit_windows'], 'updated_at'>

/** Returns the database's time in Unix milliseconds. */
export type ClockMs = (on: Knex) => Promise<number>

/**
 * Exchanges shares of windows with the database, in the caller's transaction. Uses a few statements for all requests.
 * No two requests may concern the same limit and subject. Locks the rows of `limit_windows` first, so that two
 * processes cannot take the same amount.
 *
 * `nodeId` is the epoch under which concurrent requests are counted. Returns undefined if a request concerns a
 * concurrency limit and this epoch has ended.
 */
export async function exchangeShares(
  trx: Knex.Transaction,
  requests: readonly ShareRequest[],
  { nodeId, clock }: { nodeId: string; clock: ClockMs },
): Promise<{ now: number; replies: ShareReply[] } | undefined> {
  const concurrent = requests.filter(isConcurrency)
  if (concurrent.length > 0 && !(await lockEpoch(trx, nodeId))) return undefined
  const rows = await lockRows(trx, requests)
  const shares = await sharesOf(trx, concurrent, nodeId)
  // Read the clock after locking, because a window may end while the transaction waits for the locks.
  const now = await clock(trx)
  const granted = requests.map((request) => {
    const name = nameOf(keyOf(request))
    return grantShare(request, { row: requireRow(rows.get(name)), now, share: shares.get(name) ?? 0 })
  })
  await trx('limit_windows')
    .insert(granted.map(({ row }) => ({ ...row, updated_at: Math.floor(now / 1000) })))
    .onConflict(KEY)
    .merge(['taken', 'notified_at', 'updated_at'])
  const concurrencyShares = granted.flatMap(({ share }) => (share ? [share] : []))
  await storeShares(trx, nodeId, concurrencyShares)
  return { now, replies: granted.map(({ reply }) => reply) }
}

type Key = Pick<Row, 'limit_id' | 'subject_id'>

const KEY = ['limit_id', 'subject_id'] as const
const keyOf = ({ limit, subjectId }: ShareRequest): Key => ({ limit_id: limit.id, subject_id: subjectId })
const nameOf = ({ limit_id, subject_id }: Key): string => `${limit_id} ${subject_id}`
const pair = ({ limit_id, subject_id }: Key): [number, string] => [limit_id, subject_id]
const isConcurrency = ({ limit }: ShareRequest): boolean => limit.measure === 'concurrent'

/** Locks the rows of `limit_windows` in the order of their keys, to prevent deadlocks. Creates missing rows. */
async function lockRows(trx: Knex.Transaction, requests: readonly ShareRequest[]): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const keys = requests.map(keyOf).sort((a, b) => a.limit_id - b.limit_id || (a.subject_id < b.subject_id ? -1 : 1))
  const lock = async (wanted: readonly Key[]) => {
    const locked = await trx('limit_windows')
      .whereIn(KEY, wanted.map(pair))
      .orderBy([...KEY])
      .forUpdate()
    for (const row of locked) rows.set(nameOf({ ...row, limit_id: Number(row.limit_id) }), row)
  }
  await lock(keys)
  const missing = keys.filter((key) => !rows.has(nameOf(key)))
  if (missing.length === 0) return rows
  await trx('limit_windows')
    .insert(missing.map((key) => ({ ...key, taken: toJson([]), updated_at: 0 })))
    .onConflict(KEY)
    .ignore()
  await lock(missing)
  return rows
}

/** The reply to a request, and the rows to store. */
interface Granted {
  readonly reply: ShareReply
  readonly row: Row
  /** The process's share of a concurrency limit. */
  readonly share: (Key & { amount: number }) | undefined
}

function grantShare(
  request: ShareRequest,
  { row, now, share: storedShare }: { row: Row; now: number; share: number },
): Granted {
  const { limit, returns, owed, wants, largest, keptShare } = request
  const current = partAt(limit, now)
  const part = request.start > current.start ? partAt(limit, request.start) : current
  const taken = partsInWindow(fromJson(row.taken), current)
  if (isConcurrency(request)) addAmount(taken, 0, keptShare - storedShare)
  else for (const [start, amount] of returns) addAmount(taken, start, -amount)
  addAmount(taken, part.start, owed)
  // If the process's part has ended, the requested share of its next part becomes an advance from the current part.
  const isSamePart = part.start === request.start
  const advance = isSamePart ? request.advance : Math.max(request.advance, request.nextAdvance)
  const isCountOnly = limit.action === 'notify'
  const granted = grantWants(wants, { free: limit.amount - sumOf(taken), largest, advance, isCountOnly })
  addAmount(taken, part.start, granted.amount)
  const isNextTaken = isSamePart && request.nextAdvance > 0
  const next = isNextTaken ? shareOfNext(request, { part, free: limit.amount - sumOf(taken) }) : undefined
  // Count the share before its part begins, because a process whose clock is ahead may use it early.
  if (next) addAmount(taken, next.part.start, next.taken)
  const free = Math.max(0, limit.amount - sumOf(taken))
  const isExceeded = granted.excess !== undefined
  const quietSince = isConcurrency(request) ? now - EXCESS_NOTICE_INTERVAL_MS : current.oldestStart
  const isFirstExcess = isExceeded && Number(row.notified_at) < quietSince
  const key = keyOf(request)
  return {
    reply: {
      part,
      grants: granted.grants,
      taken: owed + granted.amount,
      next,
      remaining: free,
      availableAt: nextAvailability(limit, taken, { needed: (granted.excess ?? 1) - free, nowMs: now }),
      isFirstExcess,
    },
    row: { ...key, taken: toJson(taken), notified_at: isFirstExcess ? now : Number(row.notified_at) },
    share: isConcurrency(request) ? { ...key, amount: keptShare + owed + granted.amount } : undefined,
  }
}

function shareOfNext(
  { limit, largest, nextAdvance }: ShareRequest,
  { part, free }: { part: WindowPart; free: number },
): { part: WindowPart; taken: number } {
  const { amount } = grantWants([], { free, largest, advance: nextAdvance, isCountOnly: false })
  return { part: partAt(limit, part.end), taken: amount }
}

interface GrantedWants {
  readonly grants: readonly (number | undefined)[]
  /** The sum of the grants and the advance. */
  readonly amount: number
  /** The quota of the first want that did not fit. */
  readonly excess: number | undefined
}

/**
 * Grants the free amount to the wants, in order. With `isCountOnly`, grants also wants that do not fit, because the
 * limit does not reject requests.
 */
function grantWants(
  wants: readonly Want[],
  { free, largest, advance, isCountOnly }: { free: number; largest: number; advance: number; isCountOnly: boolean },
): GrantedWants {
  let room = Math.max(0, free)
  let amount = 0
  let excess: number | undefined
  const grants = wants.map((want, at) => {
    const fitting = grantOf(want, { room, waiting: wants.length - at })
    if (fitting === undefined) excess ??= want.quota
    const grant = fitting ?? (isCountOnly ? want.quota : undefined)
    room = Math.max(0, room - (grant ?? 0))
    amount += grant ?? 0
    return grant
  })
  const isAmple = excess === undefined && room >= largest * ADVANCE_FREE_FACTOR
  return { grants, amount: amount + (isAmple ? Math.min(advance, Math.floor(room * SLICE)) : 0), excess }
}

/** Returns the stored shares of the process in concurrency limits, by `nameOf` of their keys. */
async function sharesOf(
  trx: Knex.Transaction,
  requests: readonly ShareRequest[],
  nodeId: string,
): Promise<Map<string, number>> {
  if (requests.length === 0) return new Map()
  const rows: (Key & { amount: number })[] = await trx('limit_shares')
    .where({ node_id: nodeId })
    .whereIn(KEY, requests.map(keyOf).map(pair))
    .select('limit_id', 'subject_id', 'amount')
  return new Map(rows.map((row) => [nameOf({ ...row, limit_id: Number(row.limit_id) }), Number(row.amount)]))
}

/** Stores the process's shares of concurrency limits, so that another process can release them after a crash. */
async function storeShares(
  trx: Knex.Transaction,
  nodeId: string,
  shares: readonly (Key & { amount: number })[],
): Promise<void> {
  const [held, empty] = [shares.filter(({ amount }) => amount > 0), shares.filter(({ amount }) => amount === 0)]
  if (held.length > 0) {
    await trx('limit_shares')
      .insert(held.map((share) => ({ ...share, node_id: nodeId })))
      .onConflict(['node_id', ...KEY])
      .merge(['amount'])
  }
  if (empty.length > 0) await trx('limit_shares').where({ node_id: nodeId }).whereIn(KEY, empty.map(pair)).delete()
}
