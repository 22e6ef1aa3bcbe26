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
import {
  beginImport,
  findSource,
  type ImportState,
  readImports,
  type StoredImport,
  saveState,
} from './stored-imports.ts'
import type { WriteContext } from './write-kind.ts'

export interface ImportParts {
  db: Database
  secrets: Secrets
  sign: Sign
  audit: Audit
  follower: Follower
  now: () => number
}

export interface ImportRequest {
  product: Product
  source: Source
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
  const { product, source, dryRun = false, sinceLast = false } = request
  const shape = await inspectSource(source, product)
  const contents = await readContents(source, shape)
  const found = await findSource(
    parts.db.reader,
    { product, location: source.name },
    { tokens: keysOf(contents), ...parts },
  )
  const imports = (await readImports(parts.db.reader)).filter(
    ({ sourceId, status }) => sourceId === found && status !== 'undone',
  )
  if (sinceLast && !imports.some(({ status }) => status === 'done')) {
    throw new GatewayError('IMPORT_FIRST', { source: source.name })
  }
  const run = createRun(parts, actor, { request, shape, contents, imports })
  if (dryRun) return run.dry(found)
  return run.write(found)
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
    imports,
  }: { request: ImportRequest; shape: SourceShape; contents: SourceContents; imports: readonly StoredImport[] },
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
  const others = (id: number) => imports.filter((each) => each.id !== id)

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
    report.warnings.push(...groupWarnings(contents, inForce), ...unitWarning(contents, inForce))
    return values
  }

  const coveredBy = (id: number) => others(id).flatMap(({ state }) => state.logParts ?? [])
  /** With --since-last, logs above the last one that was there at the last import, whether it was imported or not. */
  const sinceId = request.sinceLast ? Math.max(0, ...imports.map(({ report: last }) => last?.lastLogId ?? 0)) + 1 : 0
  const ranges = (id: number) => wantedRanges(source, { logs: contents.logs, wanted, sinceId, covered: coveredBy(id) })
  const countsBefore = (id: number) => others(id).find(({ state }) => state.counts)?.state.counts ?? NO_COUNTS

  return {
    async dry(sourceId: number): Promise<ImportReport> {
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

    async write(found: number): Promise<ImportReport> {
      const begun = await db.transaction(async (trx) => {
        await db.alone(trx, 'import')
        const location = { sourceId: found, product, location: source.name }
        return beginImport(trx, location, { actorId: actor.id, now: now(), logs: String(wanted) })
      })
      const { sourceId, importId } = begun
      const state: ImportState = begun.state
      report.id = importId
      report.again = others(importId).length > 0
      report.lastLogId = contents.logs.maxId
      const write: WriteContext = { sourceId, importId, secrets, sign, now: now(), actorId: actor.id }
      const save = (trx: Knex.Transaction) => saveState(trx, importId, state, now())

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
        state.options = [...new Set([...(state.options ?? []), ...values.keys()])]
        await save(trx)
        return values
      })
      if (planned.size > 0) await follower.catchUp()
      for (const kind of KINDS) {
        take(
          await inTurn(kind.kind, (trx) => importKind(trx, kind, contents.rows[kind.kind], { map, write, dry: false })),
        )
      }
      report.tables.push(await inTurn('quota_data', (trx) => writeCounts(trx, { importId, state, save })))
      await inTurn('logs', async (trx) => {
        if (state.logParts) return
        state.logParts = await reserveParts(trx, await ranges(importId))
        await save(trx)
      })
      const logParts = state.logParts ?? []
      const total = logParts.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      let done = logParts.reduce((sum, part) => sum + part.done - part.from + 1, 0)
      const onRows = (rows: number) => {
        done += rows
        onProgress({ table: 'logs', done, total })
      }
      await copyLogs(db, source, { state, map, save, onRows, signal })
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

  async function writeCounts(
    trx: Knex.Transaction,
    { importId, state, save }: { importId: number; state: ImportState; save: (trx: Knex.Transaction) => Promise<void> },
  ) {
    const table = tableReport('quota_data', contents.counts.rows)
    if (!shape.tables.has('quota_data')) return table
    const before = state.counts ?? countsBefore(importId)
    const outcome = await importCounts(trx, source, { before, maxId: contents.counts.maxId, map })
    state.counts = outcome.state
    // Of users that this import brings, all counts go with them when it is undone.
    if (others(importId).length > 0) state.addedCounts = [...(state.addedCounts ?? []), ...outcome.added]
    await save(trx)
    return Object.assign(table, {
      imported: outcome.imported,
      known: contents.counts.rows - outcome.imported - outcome.skipped,
      skipped: outcome.skipped,
      // A later import adds differences, which no sum of the source says.
      sums: before.done === 0 ? { quota: { source: contents.counts.quota, target: outcome.quota } } : {},
    })
  }
}

function unitWarning({ options }: SourceContents, inForce: ReadonlyMap<string, string>): string[] {
  const source = Number(options.get('QuotaPerUnit') || OPTIONS.QuotaPerUnit.default)
  const target = Number(inForce.get('QuotaPerUnit') || OPTIONS.QuotaPerUnit.default)
  if (source === target) return []
  return [
    `One dollar is ${source} quota at the source and ${target} here: balances keep their quota, and change their worth`,
  ]
}
