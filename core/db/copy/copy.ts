import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { errorCode } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import { because } from '../../messages/reasons.ts'
import type { Database } from '../database.ts'
import { createPartitions } from '../log-partitions.ts'
import { migrate } from '../migrate.ts'
import type { MigrationContext } from '../migrations/list.ts'
import { highestId, reserveIds } from '../new-ids.ts'
import { type ChangedKeys, countChanges, installTriggers, popChanges, removeTriggers } from './changes.ts'
import { lockSource } from './lock.ts'
import { type CopiedRow, emptyTables, insertCopiedRows, replaceRows } from './rows.ts'
import { type CopiedTable, readTables } from './tables.ts'
import { databaseAddressOf, findUnfinishedCopy, markUnfinished, removeMark, unfinishedCopyError } from './unfinished.ts'
import { createComparison, type TableComparison, type TableProof } from './verify.ts'

const ROWS_AT_ONCE = 10_000
const CHANGES_AT_ONCE = 5000
/** Maximum number of remaining changes when the copy blocks writers. It is small, so that writers wait only briefly. */
const CHANGES_FOR_STOP = 500
const WAIT_MS = 500
/** A process whose last heartbeat is older than this counts as stopped. */
const SEEN_S = 45
/** Maximum number of attempts to lock the source. A lock can deadlock with writers. */
const LOCK_TRIES = 5

export interface CopyProgress {
  step: 'rows' | 'changes' | 'waiting' | 'comparing' | 'stop'
  table?: string
  done?: number
}

interface CopyOptions {
  context: MigrationContext
  /** Whether the copy may finish while gateways use the source. If false, the copy waits until no gateway runs. */
  whileRunning: boolean
  onProgress: (progress: CopyProgress) => void
  signal: AbortSignal
}

/** Result of a copy: a comparison of both databases for each table. */
interface CopyResult {
  tables: TableProof[]
  /** Milliseconds from obtaining the locks to the commit. */
  stoppedMs: number
}

/**
 * Copies a database to an empty database of any kind. First copies all rows, then the rows that changed meanwhile.
 * Blocks writers only while it applies the last changes and does the final comparison. Overwrites an unfinished copy of
 * the same source. Removes its triggers from the source at the end, also after an error. `db repair` removes those of a
 * killed copy. Throws COPY_FAILED if the target has users or audit rows, if another copy of the source is running, or
 * if tables differ at the end. Throws DATABASE_UNFINISHED if the target is an unfinished copy of another database.
 */
export async function copyDatabase(source: Database, target: Database, options: CopyOptions): Promise<CopyResult> {
  await requireEmpty(source, target)
  const unlockSource = await lockSource(source, target)
  try {
    return await copyLocked(source, target, options)
  } finally {
    await unlockSource()
  }
}

async function copyLocked(source: Database, target: Database, options: CopyOptions): Promise<CopyResult> {
  const run = await markUnfinished(target, databaseAddressOf(source))
  await migrate(target, options.context)
  const sourceTables = new Set((await readTables(source)).map(({ table }) => table))
  // Copy only tables that exist in both databases. The target may contain tables of another program.
  const tables = (await readTables(target)).filter(({ table }) => sourceTables.has(table))
  const tablesByName = new Map(tables.map((table) => [table.table, table]))
  try {
    await emptyTables(target, tables)
    await partitionLog(source, target)
    await installTriggers(source, tables)
    const copy = { source, target, options, tables, tablesByName, comparison: createComparison() }
    for (const table of tables) await copyTable(copy, table)
    const result = await catchUpAndFinish(copy)
    await removeMark(target, run)
    return result
  } finally {
    await removeTriggers(source, tables)
  }
}

/**
 * Throws COPY_FAILED if the target has users or audit rows, unless it is an unfinished copy of the same source. Throws
 * DATABASE_UNFINISHED for an unfinished copy of another source.
 */
async function requireEmpty(source: Database, target: Database): Promise<void> {
  const { reader, name } = target
  const before = await findUnfinishedCopy(target)
  if (before && before.source !== databaseAddressOf(source)) throw unfinishedCopyError(target, before)
  if (before) return
  for (const table of ['users', 'audit']) {
    if (!(await reader.schema.hasTable(table)) || (await reader(table).first('id')) === undefined) continue
    throw new GatewayError('COPY_FAILED', { target: name, ...because('targetNotEmpty') })
  }
}

/** Creates log partitions in the target for the rows of the source. */
async function partitionLog(source: Database, target: Database): Promise<void> {
  const times = await source.reader('logs').min({ from: 'created_at' }).max({ to: 'created_at' }).first()
  if (times?.to) await createPartitions(target, { from: Number(times.from), to: Number(times.to) })
}

/** The databases and the state of a running copy. */
interface Copy {
  source: Database
  target: Database
  options: CopyOptions
  tables: readonly CopiedTable[]
  tablesByName: ReadonlyMap<string, CopiedTable>
  comparison: TableComparison
}

async function copyTable({ source, target, options: { onProgress, signal } }: Copy, table: CopiedTable) {
  let done = 0
  for await (const rows of readInBatches(source.reader, table)) {
    signal.throwIfAborted()
    await target.transaction(async (trx) => {
      await target.withoutTimeouts(trx)
      await insertCopiedRows(trx, table, rows)
    })
    done += rows.length
    onProgress({ step: 'rows', table: table.table, done })
  }
}

async function* readInBatches(reader: Knex, { table, hasId }: CopiedTable): AsyncGenerator<CopiedRow[]> {
  if (!hasId) {
    yield await reader(table).select('*')
    return
  }
  for (let after = -1; ; ) {
    const rows: CopiedRow[] = await reader(table).where('id', '>', after).orderBy('id').limit(ROWS_AT_ONCE).select('*')
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
    after = Number(rows.at(-1)?.id)
  }
}

/**
 * Applies changes until few are left, compares all tables, and waits for gateways unless `whileRunning`. Then blocks
 * writers for the rest.
 */
async function catchUpAndFinish(copy: Copy): Promise<CopyResult> {
  const { source, target, tables, comparison, options } = copy
  const { whileRunning, onProgress, signal } = options
  await catchUp(copy)
  for (const table of tables) {
    signal.throwIfAborted()
    onProgress({ step: 'comparing', table: table.table })
    await comparison.compare(source.reader, target.reader, table)
  }
  for (;;) {
    signal.throwIfAborted()
    await catchUp(copy)
    if (whileRunning || !(await isInUse(source))) break
    onProgress({ step: 'waiting' })
    await sleep(WAIT_MS, undefined, { signal })
  }
  for (let attempt = 1; ; attempt++) {
    try {
      onProgress({ step: 'stop' })
      return await copyRemainder(copy)
    } catch (error) {
      // Retry after a deadlock with a writer (40P01), or if the lock was not granted in time (55P03, 57014).
      if (!['40P01', '55P03', '57014'].includes(errorCode(error)) || attempt === LOCK_TRIES) throw error
      await catchUp(copy)
    }
  }
}

/** Returns whether a process that uses the ledger is alive. Such a process updates `seen_at` every few seconds. */
async function isInUse({ reader }: Database): Promise<boolean> {
  const since = Math.floor(Date.now() / 1000) - SEEN_S
  return (await reader('nodes').where('seen_at', '>', since).first('id')) !== undefined
}

async function catchUp(copy: Copy): Promise<void> {
  const { source, options } = copy
  const { onProgress, signal } = options
  for (;;) {
    signal.throwIfAborted()
    const remaining = await countChanges(source)
    onProgress({ step: 'changes', done: remaining })
    if (remaining <= CHANGES_FOR_STOP) return
    const { keys } = await source.transaction((trx) => popChanges(trx, CHANGES_AT_ONCE))
    await applyChanges(copy, source.reader, keys)
  }
}

async function applyChanges(
  { target, tablesByName, comparison }: Copy,
  source: Knex,
  keys: ChangedKeys,
): Promise<void> {
  await target.transaction(async (trx) => {
    await target.withoutTimeouts(trx)
    for (const [name, list] of keys) {
      const table = tablesByName.get(name)
      if (!table) continue
      for (const key of list) comparison.touch(table, key)
      await replaceRows(source, trx, table, list)
    }
  })
}

/** Copies and verifies the remaining changes while writers of the source are blocked. */
async function copyRemainder(copy: Copy): Promise<CopyResult> {
  const { source, target, tables, comparison } = copy
  let startedAt = performance.now()
  const proofs = await source.transaction(async (trx) => {
    if (source.kind === 'postgres') {
      const names = tables.map(({ table }) => `"${table}"`).join(', ')
      // Locking `nodes` first, as batches do, prevents deadlocks.
      await trx.raw('LOCK TABLE nodes IN EXCLUSIVE MODE')
      await trx.raw(`LOCK TABLE ${names} IN EXCLUSIVE MODE`)
      await source.withoutTimeouts(trx)
    }
    startedAt = performance.now()
    for (;;) {
      const { keys, count } = await popChanges(trx, CHANGES_AT_ONCE)
      if (count === 0) break
      await applyChanges(copy, trx, keys)
    }
    await target.transaction(async (targetTrx) => {
      for (const { table, hasId } of tables) {
        if (hasId) await reserveIds(targetTrx, table, Math.max(1, await highestId(trx, table)))
      }
    })
    const results: TableProof[] = []
    for (const table of tables) results.push(await comparison.compare(trx, target.reader, table))
    return results
  })
  const stoppedMs = performance.now() - startedAt
  const different = proofs.filter(({ equal }) => !equal).map(({ table }) => table)
  if (different.length > 0) {
    const reason = `these tables differ: ${different.join(', ')}`
    throw new GatewayError('COPY_FAILED', { target: target.name, reason })
  }
  return { tables: proofs, stoppedMs }
}
