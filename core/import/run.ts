import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Sign } from '../ledger/chain.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { KEY_PREFIX } from '../tokens/token.ts'
import { readContents, type SourceContents } from './contents.ts'
import { importCounts, NO_COUNTS } from './counts.ts'
import { groupWarnings } from './groups.ts'
import { importKind, type KindOutcome } from './import-kind.ts'
import { copyLogs, reportLogs, reserveParts, type WantedLogs, wantedRanges } from './import-logs.ts'
import { KINDS } from './kinds.ts'
import type { MapContext, RowKind } from './mappers/mapper.ts'
import { planOptions, readStoredOptions, writeOptions } from './options.ts'
import { comparePrices } from './prices.ts'
import { inspectSource, type SourceShape } from './product.ts'
import { emptyReport, type ImportReport, type Product, storedReport, tableReport } from './report.ts'
import type { Source } from './sources/source.ts'
import { beginImport, findSource, readImports, readState, type StoredImport, saveState } from './stored-imports.ts'
import type { WriteContext } from './write-kind.ts'

export interface ImportParts {
  db: Database
  secrets: Secrets
  sign: Sign
  audit: Audit
  follower: Follower
  now: () => number
}

/** What was read of a source. */
export interface ReadSource {
  shape: SourceShape
  contents: SourceContents
  warnings?: readonly string[]
}

export interface ImportRequest {
  product: Product
  source: Source
  /** Reads a source that has not the tables of new-api. */
  read?: (source: Source) => Promise<ReadSource>
  logs: WantedLogs
  /** Only what came since the last import of this source. Throws IMPORT_FIRST if there was none. */
  sinceLast?: boolean
  dryRun?: boolean
  /** Told what is being done, and how many log rows of how many have come. */
  onProgress?: (progress: { table: string; done: number; total: number }) => void
  /** Between two transactions: what is written stays, and the next run goes on from there. */
  signal?: AbortSignal | undefined
}

/** Imports a source, or with `dryRun` says what would come. Root only. Throws IMPORT_*. */
export async function runImport(parts: ImportParts, actor: Actor, request: ImportRequest): Promise<ImportReport> {
  requireRole(actor, ROLE.root)
  const { product, source, dryRun = false } = request
  const { shape, contents, warnings = [] } = request.read ? await request.read(source) : await readPeer(source, product)
  const run = createRun(parts, actor, { request, shape, contents, warnings })
  return dryRun ? run.dry() : run.write()
}

async function readPeer(source: Source, product: Product): Promise<ReadSource> {
  const shape = await inspectSource(source, product)
  return { shape, contents: await readContents(source, shape) }
}

function keysOf({ rows }: SourceContents): { id: number; key: string }[] {
  return rows.tokens
    .slice(0, 1000)
    .map(({ id, key }) => ({
      id: Number(id),
      key: String(key ?? '')
        .trim()
        .replace(KEY_PREFIX, ''),
    }))
    .filter(({ key }) => key !== '')
}

function createRun(
  parts: ImportParts,
  actor: Actor,
  {
    request,
    shape,
    contents,
    warnings,
  }: { request: ImportRequest; shape: SourceShape; contents: SourceContents; warnings: readonly string[] },
) {
  const { db, secrets, sign, audit, follower, now } = parts
  const { product, source, logs: wanted, dryRun = false, onProgress = () => {}, signal } = request
  const report = emptyReport({ product, source: source.name, dryRun })
  Object.assign(report, { unknownColumns: shape.unknownColumns, unknownTables: shape.unknownTables })
  const targets = new Map<RowKind, ReadonlyMap<number, number>>()
  let names: ReadonlyMap<number, string> = new Map()
  const map: MapContext = {
    product,
    target: (kind, id) => targets.get(kind)?.get(id),
    usernameOf: (id) => names.get(id),
    quotaPerUnit: Number(contents.options.get('QuotaPerUnit') || OPTIONS.QuotaPerUnit.default) || 500_000,
  }
  let imports: readonly StoredImport[] = []
  const others = (id: number) => imports.filter((each) => each.id !== id)

  /** The source, if it is known, and what was imported from it. Throws IMPORT_FIRST. */
  async function findEarlier(trx: Knex): Promise<number> {
    const found = await findSource(trx, { product, location: source.name }, { tokens: keysOf(contents), secrets })
    imports = (await readImports(trx)).filter(({ sourceId, status }) => sourceId === found && status !== 'undone')
    if (request.sinceLast && !imports.some(({ status }) => status === 'done')) {
      throw new GatewayError('IMPORT_FIRST', { source: source.name })
    }
    return found
  }

  function take(outcome: KindOutcome): void {
    report.tables.push(outcome.table)
    report.skipped.push(...outcome.skipped)
    report.changed.push(...outcome.changed)
    report.remapped.push(...outcome.remapped)
    targets.set(outcome.table.table as RowKind, outcome.targets)
    if (outcome.names.size > 0) names = outcome.names
  }

  async function planAllOptions(trx: Knex): Promise<ReadonlyMap<string, string>> {
    const stored = await readStoredOptions(trx, secrets)
    const { values, notes } = planOptions(contents.options, stored)
    const table = tableReport('options', contents.options.size)
    const count = (...outcomes: string[]) => notes.filter(({ outcome }) => outcomes.includes(outcome)).length
    Object.assign(table, {
      imported: values.size,
      known: count('same'),
      skipped: notes.length - values.size - count('same'),
    })
    report.options = notes
    report.tables.push(table)
    const inForce = new Map([...stored, ...values])
    report.prices = await comparePrices(contents.lastCharges, inForce)
    report.warnings.push(...warnings, ...groupWarnings(contents, inForce), ...unitWarning(contents, inForce))
    return values
  }

  const coveredBy = (id: number) => others(id).flatMap(({ state }) => state.logParts ?? [])
  /** With --since-last, logs above the last one that was there at the last import, whether it was imported or not. */
  const sinceId = request.sinceLast ? Math.max(0, ...imports.map(({ report: last }) => last?.lastLogId ?? 0)) + 1 : 0
  const ranges = (id: number) => wantedRanges(source, { logs: contents.logs, wanted, sinceId, covered: coveredBy(id) })
  const countsBefore = (id: number) => others(id).find(({ state }) => state.counts)?.state.counts ?? NO_COUNTS

  return {
    async dry(): Promise<ImportReport> {
      const sourceId = await findEarlier(db.reader)
      report.again = imports.length > 0
      const write: WriteContext = { sourceId, importId: 0, secrets, sign, now: now(), actorId: actor.id }
      await planAllOptions(db.reader)
      for (const kind of KINDS)
        take(await importKind(db.reader, kind, contents.rows[kind.kind], { map, write, dry: true }))
      const counts = tableReport('quota_data', contents.counts.rows)
      report.tables.push(Object.assign(counts, { imported: contents.counts.rows }))
      report.tables.push(
        await reportLogs(db.reader, source, { parts: [], ranges: await ranges(0), total: contents.logs.rows }),
      )
      return report
    },

    async write(): Promise<ImportReport> {
      const { sourceId, importId } = await db.transaction(async (trx) => {
        await db.alone(trx, 'import')
        const location = { sourceId: await findEarlier(trx), product, location: source.name }
        const begun = await beginImport(trx, location, { actorId: actor.id, now: now(), logs: String(wanted) })
        return begun
      })
      report.id = importId
      report.again = others(importId).length > 0
      report.lastLogId = contents.logs.maxId
      const write: WriteContext = { sourceId, importId, secrets, sign, now: now(), actorId: actor.id }
      await enlargeCaches(db)

      /** Each table in one transaction; two imports at once take turns. */
      const inTurn = async <T>(table: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
        signal?.throwIfAborted()
        onProgress({ table, done: 0, total: 0 })
        return db.transaction(async (trx) => {
          await db.unhurried(trx)
          await db.alone(trx, 'import')
          return work(trx)
        })
      }

      const planned = await inTurn('options', async (trx) => {
        Object.assign(report, { tables: [], warnings: [] })
        const values = await planAllOptions(trx)
        await writeOptions(trx, values, secrets)
        const state = await readState(trx, importId)
        const options = [...new Set([...(state.options ?? []), ...values.keys()])]
        await saveState(trx, importId, { ...state, options }, now())
        return values
      })
      if (planned.size > 0) await follower.catchUp()
      for (const kind of KINDS) {
        take(
          await inTurn(kind.kind, (trx) => importKind(trx, kind, contents.rows[kind.kind], { map, write, dry: false })),
        )
      }
      report.tables.push(await inTurn('quota_data', (trx) => writeCounts(trx, importId)))
      const logParts = await inTurn('logs', async (trx) => {
        const state = await readState(trx, importId)
        const planned = state.logParts ?? (await reserveParts(trx, await ranges(importId)))
        await saveState(trx, importId, { ...state, logParts: planned }, now())
        return planned
      })
      const total = logParts.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      let done = logParts.reduce((sum, part) => sum + part.done - part.from + 1, 0)
      const onRows = (rows: number) => {
        done += rows
        onProgress({ table: 'logs', done, total })
      }
      await copyLogs(db, source, logParts, { importId, map, now, onRows, signal })
      report.tables.push(
        await reportLogs(db.reader, source, { parts: logParts, ranges: [], total: contents.logs.rows }),
      )
      await db.transaction(async (trx) => {
        await trx('imports')
          .where({ id: importId })
          .update({ status: 'done', report: storedReport(report), updated_at: now() })
        const after = Object.fromEntries(report.tables.map(({ table, imported }) => [table, imported]))
        await audit.write(trx, actor, { action: 'import.run', object: `import:${importId}`, after })
      })
      await follower.catchUp()
      return report
    },
  }

  async function writeCounts(trx: Knex.Transaction, importId: number) {
    const table = tableReport('quota_data', contents.counts.rows)
    if (!shape.tables.has('quota_data')) return table
    const state = await readState(trx, importId)
    const before = state.counts ?? countsBefore(importId)
    const outcome = await importCounts(trx, source, { before, maxId: contents.counts.maxId, map })
    // Of users that this import brings, all counts go with them when it is undone.
    const isLater = others(importId).length > 0
    const addedCounts = [...(state.addedCounts ?? []), ...outcome.added]
    await saveState(trx, importId, { ...state, counts: outcome.state, ...(isLater && { addedCounts }) }, now())
    return Object.assign(table, {
      imported: outcome.imported,
      known: contents.counts.rows - outcome.imported - outcome.skipped,
      skipped: outcome.skipped,
      // A later import adds differences, which no sum of the source says.
      sums: before.done === 0 ? { quota: { source: contents.counts.quota, target: outcome.quota } } : {},
    })
  }
}

/** Indexes of millions of rows do not fit into the memory that a gateway is content with. */
async function enlargeCaches({ kind, transaction }: Database): Promise<void> {
  if (kind !== 'sqlite') return
  await transaction(async (trx) => {
    await trx.raw('PRAGMA cache_size = -400000')
    await trx.raw('PRAGMA wal_autocheckpoint = 40000')
  })
}

function unitWarning({ options }: SourceContents, inForce: ReadonlyMap<string, string>): string[] {
  const source = Number(options.get('QuotaPerUnit') || OPTIONS.QuotaPerUnit.default)
  const target = Number(inForce.get('QuotaPerUnit') || OPTIONS.QuotaPerUnit.default)
  if (source === target) return []
  return [
    `One dollar is ${source} quota at the source and ${target} here: balances keep their quota, and change their worth`,
  ]
}
