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
import { createdOnlyRoot } from './dependents.ts'
import { findSource, type SourceSample } from './find-source.ts'
import { groupWarnings } from './groups.ts'
import { importKind, type KindOutcome } from './import-kind.ts'
import { copyLogs, planParts, reportLogs, type WantedLogs, wantedRanges } from './import-logs.ts'
import { IMPORT_KINDS } from './kinds.ts'
import { importLimits } from './limits.ts'
import type { LogPart } from './log-parts.ts'
import type { MapContext, RowKind } from './mappers/mapper.ts'
import { mapUser } from './mappers/users.ts'
import { planOptions, readStoredOptions, writeOptions } from './options.ts'
import { comparePrices } from './prices.ts'
import { inspectSource, type SourceShape } from './product.ts'
import { emptyReport, type ImportReport, type Product, storedReport, tableReport } from './report.ts'
import type { Source } from './sources/source.ts'
import {
  beginImport,
  isOvertaken,
  readImportState,
  readImports,
  type StoredImport,
  saveState,
} from './stored-imports.ts'
import type { ImportDb, ImportWriteContext } from './write-kind.ts'

export interface ImportParts {
  db: Database
  secrets: Secrets
  sign: Sign
  audit: Audit
  follower: Follower
  now: () => number
}

/** Data read from a source. */
export interface ReadSource {
  shape: SourceShape
  contents: SourceContents
  warnings?: readonly string[]
}

export interface ImportRequest {
  product: Product
  source: Source
  /** Reads a source that does not have the tables of new-api and one-api, such as LiteLLM. */
  read?: (source: Source, target: { quotaPerUnit: number }) => Promise<ReadSource>
  logs: WantedLogs
  /**
   * Imports only log rows that are newer than the last import of this source. Throws IMPORT_FIRST if this source was
   * never imported. Throws IMPORT_SOURCE_REPLACED if a different database was imported from this address.
   */
  sinceLast?: boolean
  dryRun?: boolean
  /** Called with the current table. `done` and `total` are numbers of log rows, and 0 for other tables. */
  onProgress?: (progress: { table: string; done: number; total: number }) => void
  /** Aborts the import between two transactions. Committed rows stay, and the next run resumes the import. */
  signal?: AbortSignal | undefined
}

/** Imports a source. With `dryRun`, only reports what an import would do. Root only. Throws IMPORT_*. */
export async function executeImport(parts: ImportParts, actor: Actor, request: ImportRequest): Promise<ImportReport> {
  requireRole(actor, ROLE.root)
  const { product, source, dryRun = false } = request
  // Unix milliseconds before the contents are read.
  const readAt = Date.now()
  const sourceData = request.read
    ? await request.read(source, { quotaPerUnit: await unitOf(parts) })
    : await readPeer(source, product)
  const run = createRun(parts, actor, { ...sourceData, request, readAt })
  return dryRun ? run.dry() : run.write()
}

/** Returns the quota per dollar at the target. */
async function unitOf({ db, secrets }: ImportParts): Promise<number> {
  const stored = await readStoredOptions(db.reader, secrets)
  return Number(stored.get('QuotaPerUnit') ?? OPTIONS.QuotaPerUnit.default)
}

async function readPeer(source: Source, product: Product): Promise<ReadSource> {
  const shape = await inspectSource(source, product)
  return { shape, contents: await readContents(source, shape) }
}

const SAMPLE_MAX = 1000

/** Returns the users and tokens by which `findSource` recognizes the source. */
function sampleOf({ rows }: SourceContents, map: MapContext): SourceSample {
  const users = rows.users.slice(0, SAMPLE_MAX).flatMap((row) => mapUser(row, map).mapped ?? [])
  const tokens = rows.tokens
    .slice(0, SAMPLE_MAX)
    .map(({ id, key }) => ({
      id: Number(id),
      key: String(key ?? '')
        .trim()
        .replace(KEY_PREFIX, ''),
    }))
    .filter(({ key }) => key !== '')
  return { users, tokens }
}

function createRun(
  parts: ImportParts,
  actor: Actor,
  { request, shape, contents, warnings = [], readAt }: ReadSource & { request: ImportRequest; readAt: number },
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
  const replacedWarnings: string[] = []
  const otherImports = (id: number) => imports.filter((each) => each.id !== id)

  /** Returns the source's id (0: new), and loads its earlier imports. Throws IMPORT_FIRST, IMPORT_SOURCE_REPLACED. */
  async function findEarlier(trx: Knex): Promise<number> {
    const address = { product, location: source.name }
    const { id: sourceId, isReplaced } = await findSource(trx, address, { ...sampleOf(contents, map), secrets })
    imports = (await readImports(trx)).filter((each) => each.sourceId === sourceId && each.status !== 'undone')
    if (request.sinceLast && !imports.some(({ status }) => status === 'done')) {
      throw new GatewayError(isReplaced ? 'IMPORT_SOURCE_REPLACED' : 'IMPORT_FIRST', { source: source.name })
    }
    if (isReplaced) {
      replacedWarnings.push(`${source.name} was imported with other contents before: this is a new source`)
    }
    return sourceId
  }

  function addToReport(kind: RowKind, outcome: KindOutcome): void {
    report.tables.push(outcome.table)
    report.skipped.push(...outcome.skipped)
    report.changed.push(...outcome.changed)
    report.remapped.push(...outcome.remapped)
    targets.set(kind, outcome.targets)
    if (outcome.names.size > 0) names = outcome.names
  }

  async function addLimits(target: ImportDb, write: ImportWriteContext): Promise<void> {
    if (!contents.limits) return
    const { table, conflicts } = await importLimits(target, contents.limits, { targets, write })
    report.tables.push(table)
    report.changed.push(...conflicts)
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
    const effectiveOptions = new Map([...stored, ...values])
    report.prices = await comparePrices(contents.lastCharges, effectiveOptions)
    report.warnings.push(...replacedWarnings, ...warnings, ...groupWarnings(contents, effectiveOptions))
    if (!request.read) report.warnings.push(...unitWarning(contents, effectiveOptions))
    return values
  }

  const coveredBy = (id: number) => otherImports(id).flatMap(({ state }) => state.logParts ?? [])
  /** The first log id to import. With --since-last, it follows the last row that existed at the last import. */
  const sinceId = request.sinceLast ? Math.max(0, ...imports.map(({ report: last }) => last?.lastLogId ?? 0)) + 1 : 0
  const ranges = (id: number) => wantedRanges(source, { logs: contents.logs, wanted, sinceId, covered: coveredBy(id) })
  const countsBefore = (id: number) => otherImports(id).find(({ state }) => state.counts)?.state.counts ?? NO_COUNTS

  return {
    async dry(): Promise<ImportReport> {
      const sourceId = await findEarlier(db.reader)
      report.again = imports.length > 0
      const running = imports.find(({ status }) => status === 'running')
      const idsBefore = running?.state.idsBefore
      const write = { sourceId, importId: 0, secrets, sign, now: now(), actorId: actor.id, idsBefore }
      await planAllOptions(db.reader)
      const target = { dry: true, db: db.reader } as const
      for (const kind of IMPORT_KINDS)
        addToReport(kind.kind, await importKind(target, kind, contents.rows[kind.kind], { map, write }))
      await addLimits(target, write)
      const counts = tableReport('quota_data', contents.counts.rows)
      report.tables.push(Object.assign(counts, { imported: contents.counts.rows }))
      report.tables.push(
        await reportLogs(db.reader, source, { parts: [], ranges: await ranges(0), total: contents.logs.rows }),
      )
      return report
    },

    async write(): Promise<ImportReport> {
      const { sourceId, importId, idsBefore } = await db.transaction(async (trx) => {
        await db.serialize(trx, 'import')
        const location = { sourceId: await findEarlier(trx), product, location: source.name }
        const begun = await beginImport(trx, location, { actorId: actor.id, now: now(), logs: String(wanted), readAt })
        return { ...begun, idsBefore: (await readImportState(trx, begun.importId)).idsBefore }
      })
      report.id = importId
      report.again = otherImports(importId).length > 0
      const write: ImportWriteContext = { sourceId, importId, secrets, sign, now: now(), actorId: actor.id, idsBefore }
      await enlargeCaches(db)

      /** Runs `work` for one table in one transaction, while concurrent imports wait. Throws IMPORT_UNDONE. */
      const runLocked = async <T>(table: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
        signal?.throwIfAborted()
        onProgress({ table, done: 0, total: 0 })
        return db.transaction(async (trx) => {
          await db.withoutTimeouts(trx)
          await db.serialize(trx, 'import')
          await readImportState(trx, importId)
          return work(trx)
        })
      }

      const planned = await runLocked('options', (trx) => writeAllOptions(trx, importId))
      if (planned.size > 0) await follower.catchUp()
      let wasOvertaken = false
      const checkOvertaken = async (trx: Knex.Transaction) => {
        wasOvertaken ||= await isOvertaken(trx, sourceId, readAt)
        return wasOvertaken
      }
      for (const kind of IMPORT_KINDS) {
        const outcome = await runLocked(kind.kind, async (trx) => {
          const context = { map, write, isOvertaken: await checkOvertaken(trx) }
          return importKind({ dry: false, db: trx }, kind, contents.rows[kind.kind], context)
        })
        addToReport(kind.kind, outcome)
      }
      await runLocked('limits', async (trx) => {
        await db.serialize(trx, 'limits')
        if (!(await checkOvertaken(trx))) await addLimits({ dry: false, db: trx }, write)
      })
      if (wasOvertaken)
        report.warnings.push(
          'another import has read this source later: that import updates the rows that are already here',
        )
      report.tables.push(await runLocked('quota_data', (trx) => writeCounts(trx, importId)))
      const logParts = await runLocked('logs', (trx) => planLogs(trx, importId))
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
        await readImportState(trx, importId)
        report.canUndo = !(await createdOnlyRoot(trx, importId))
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

  async function writeAllOptions(trx: Knex.Transaction, importId: number): Promise<ReadonlyMap<string, string>> {
    Object.assign(report, { tables: [], warnings: [] })
    const values = await planAllOptions(trx)
    await writeOptions(trx, values, secrets)
    const state = await readImportState(trx, importId)
    const options = [...new Set([...(state.options ?? []), ...values.keys()])]
    const written = Object.fromEntries([...values].map(([key, text]) => [key, secrets.digest(text)]))
    const optionDigests = { ...state.optionDigests, ...written }
    await saveState(trx, importId, { ...state, options, optionDigests }, now())
    return values
  }

  /** Plans which log rows to copy. A resumed import keeps its plan, so newer rows are left to the next import. */
  async function planLogs(trx: Knex.Transaction, importId: number): Promise<LogPart[]> {
    const state = await readImportState(trx, importId)
    const logParts = state.logParts ?? (await planParts(trx, await ranges(importId)))
    const { lastLogId = contents.logs.maxId } = state
    report.lastLogId = lastLogId
    await saveState(trx, importId, { ...state, logParts, lastLogId }, now())
    return logParts
  }

  async function writeCounts(trx: Knex.Transaction, importId: number) {
    const table = tableReport('quota_data', contents.counts.rows)
    if (!shape.tables.has('quota_data')) return table
    const state = await readImportState(trx, importId)
    const before = state.counts ?? countsBefore(importId)
    const outcome = await importCounts(trx, source, { before, maxId: contents.counts.maxId, map })
    // The first import needs no `addedCounts`, because an undo deletes its users with all their counts.
    const isLater = otherImports(importId).length > 0
    const addedCounts = [...(state.addedCounts ?? []), ...outcome.added]
    await saveState(trx, importId, { ...state, counts: outcome.state, ...(isLater && { addedCounts }) }, now())
    return Object.assign(table, {
      imported: outcome.imported,
      known: contents.counts.rows - outcome.imported - outcome.skipped,
      skipped: outcome.skipped,
      // A later import adds only differences. The source has no sum to compare them with.
      sums: before.done === 0 ? { quota: { source: contents.counts.quota, target: outcome.quota } } : {},
    })
  }
}

/** Enlarges SQLite's caches. The indexes of millions of rows do not fit into the caches that a gateway uses. */
async function enlargeCaches({ kind, transaction }: Database): Promise<void> {
  if (kind !== 'sqlite') return
  await transaction(async (trx) => {
    await trx.raw('PRAGMA cache_size = -400000')
    await trx.raw('PRAGMA wal_autocheckpoint = 40000')
  })
}

function unitWarning({ options }: SourceContents, effectiveOptions: ReadonlyMap<string, string>): string[] {
  const unit = OPTIONS.QuotaPerUnit
  const sourceText = options.get(unit.key) || unit.default
  const source = Number(sourceText)
  const target = Number(effectiveOptions.get(unit.key) || unit.default)
  if (!(source > 0)) {
    const text = JSON.stringify(sourceText.slice(0, 40))
    return [`${unit.key} of the source is ${text}, which is not a number: one dollar counts as ${unit.default} quota`]
  }
  if (source === target) return []
  return [
    `One dollar is ${source} quota at the source and ${target} here: balances keep their quota, so their value in dollars changes`,
  ]
}
