import type { Knex } from 'knex'
import { findAmong } from '../db/bulk-insert.ts'
import { chooseIds } from '../db/new-ids.ts'
import { type ImportKind, tooManyAbilities } from './kinds.ts'
import { type KnownRows, readKnownRows } from './known-rows.ts'
import type { MapContext, MappedRow, RowKind } from './mappers/mapper.ts'
import { disableMissing, planMissing } from './missing-rows.ts'
import { type RowNote, type TableReport, tableReport } from './report.ts'
import type { SourceRow } from './sources/source.ts'
import {
  type ImportDb,
  type ImportWriteContext,
  insertMappedRows,
  planUpdates,
  type ReimportedRow,
  updateRows,
} from './write-kind.ts'

/** Result of importing one table, or of a dry run. */
export interface KindOutcome {
  table: TableReport
  skipped: RowNote[]
  changed: RowNote[]
  remapped: { table: string; from: number; to: number }[]
  /** Target ids by source id. */
  targets: ReadonlyMap<number, number>
  /** Names in the target by source id. Only for users. */
  names: ReadonlyMap<number, string>
}

const SUM_COLUMNS: Partial<Record<RowKind, Record<'quota' | 'used', string>>> = {
  users: { quota: 'quota', used: 'used_quota' },
  tokens: { quota: 'remain_quota', used: 'used_quota' },
  channels: { quota: 'quota', used: 'used_quota' },
}

/**
 * Imports the rows of one kind, and updates rows of earlier imports, in the caller's transaction. With `dry`, only
 * reads. `isOvertaken` means that another run has read the source later, so this run must not update rows.
 */
export async function importKind(
  { db, dry }: ImportDb,
  kind: ImportKind,
  rows: readonly SourceRow[],
  { map, write, isOvertaken = false }: { map: MapContext; write: ImportWriteContext; isOvertaken?: boolean },
): Promise<KindOutcome> {
  const known = await readKnownRows(db, write.sourceId, kind.kind)
  const { fresh, reimported, skipped, changed, table } = sortRows(kind, rows, { map, known })
  const rejected = await kind.resolveCollisions(db, fresh, {
    secrets: write.secrets,
    change: (id, what) => changed.push({ table: kind.kind, id, what }),
  })
  for (const [id, what] of rejected) skipped.push({ table: kind.kind, id, what })
  const newRows = fresh.filter(({ id }) => !rejected.has(id))
  const sourceIds = newRows.map(({ id }) => id)
  const ids = await chooseIds(db, kind.kind, sourceIds, write.idsBefore?.[kind.kind])
  const targets = new Map([...[...known].map(([id, { target }]) => [id, target] as const), ...ids])
  if (kind.kind === 'users') setInviters(newRows, targets)
  const present = new Set(rows.map(({ id }) => Number(id)))
  const missing = new Map(isOvertaken ? [] : [...known].filter(([id]) => !present.has(id)))
  const update = await planUpdates(db, kind, isOvertaken ? [] : reimported, write)
  const disabling = await planMissing(db, kind.kind, missing)
  if (!dry) {
    await insertMappedRows(db, kind, { rows: newRows, ids }, write)
    await updateRows(db, kind, update, write)
    await disableMissing(db, disabling, write)
  }
  table.updated = update.changedRows.filter(({ plan }) => plan && plan.write.length > 0).length
  changed.push(...update.conflicts, ...disabling.conflicts)
  const disabled = disabling.gone.filter(({ isDisabled }) => isDisabled).length
  if (disabled > 0) changed.push({ table: 'tokens', id: 0, what: goneText(disabled) })
  // Rows that an interrupted run of the same import has created count as imported, not as known.
  const earlier = [...known.values()].filter(({ importId }) => importId !== write.importId).length
  table.known = earlier
  table.imported = newRows.length + known.size - earlier
  table.skipped = skipped.length
  await compareSums(db, kind, { table, rows, newRows, reimported, ids, dry })
  return {
    table,
    skipped,
    changed,
    remapped: [...ids].flatMap(([from, to]) => (from === to ? [] : [{ table: kind.kind, from, to }])),
    targets,
    names: kind.kind === 'users' ? await namesOf(db, newRows, known) : new Map(),
  }
}

const goneText = (keys: number): string =>
  keys === 1
    ? '1 key was deleted at the source since: disabled'
    : `${keys} keys were deleted at the source since: disabled`

interface SortedRows {
  /** Rows that no earlier import created. */
  fresh: MappedRow[]
  reimported: ReimportedRow[]
  skipped: RowNote[]
  changed: RowNote[]
  table: TableReport
}

function sortRows(
  kind: ImportKind,
  rows: readonly SourceRow[],
  { map, known }: { map: MapContext; known: KnownRows },
): SortedRows {
  const table = tableReport(kind.kind, rows.length)
  const sorted: SortedRows = { fresh: [], reimported: [], skipped: [], changed: [], table }
  const used = new Set<number>()
  for (const row of rows) {
    const { mapped, skip, changes } = kind.map(row, map)
    const isUsed = mapped !== undefined && used.has(mapped.id)
    const rejection = mapped && kind.kind === 'channels' ? tooManyAbilities(mapped) : undefined
    const reason = skip ?? (isUsed ? 'its id is used twice' : rejection)
    if (mapped) used.add(mapped.id)
    if (!mapped || reason !== undefined) {
      sorted.skipped.push({ table: kind.kind, id: Number(row.id ?? 0), what: reason ?? 'it cannot be read' })
      continue
    }
    const before = known.get(mapped.id)
    if (before) {
      sorted.reimported.push({ row: mapped, known: before })
      continue
    }
    sorted.fresh.push(mapped)
    for (const what of changes) sorted.changed.push({ table: kind.kind, id: mapped.id, what })
  }
  return sorted
}

/** Replaces the inviters' source ids by target ids. The id is 0 if the inviter is not imported. */
function setInviters(rows: readonly MappedRow[], targets: ReadonlyMap<number, number>): void {
  for (const row of rows) row.fields.inviter_id = targets.get(Number(row.fields.inviter_id)) ?? 0
}

async function namesOf(db: Knex, newRows: readonly MappedRow[], known: KnownRows): Promise<Map<number, string>> {
  const names = new Map(newRows.map(({ id, fields }) => [id, String(fields.username)]))
  const targets = [...known.values()].map(({ target }) => target)
  const rows = await findAmong<{ id: number; username: string }>(db, 'users', {
    column: 'id',
    values: targets,
    select: ['id', 'username'],
  })
  const byTarget = new Map(rows.map(({ id, username }) => [id, username]))
  for (const [id, { target }] of known) names.set(id, byTarget.get(target) ?? '')
  return names
}

interface ComparedRows extends Pick<SortedRows, 'table' | 'reimported'> {
  rows: readonly SourceRow[]
  newRows: readonly MappedRow[]
  ids: ReadonlyMap<number, number>
  dry: boolean
}

/** Sets the sums of the report, over all rows of the source and over the corresponding rows of the target. */
async function compareSums(
  db: Knex,
  kind: ImportKind,
  { table, rows, newRows, reimported, ids, dry }: ComparedRows,
): Promise<void> {
  const columns = SUM_COLUMNS[kind.kind]
  if (columns === undefined) return
  const written = dry
    ? []
    : await findAmong<Record<string, number>>(db, kind.kind, {
        column: 'id',
        values: [...ids.values()],
        select: [...new Set(kind.sums.map((sum) => columns[sum]))],
      })
  for (const sum of kind.sums) {
    const column = columns[sum]
    const before = reimported.reduce((total, { row }) => total + row[sum], 0)
    const now = dry
      ? newRows.reduce((total, row) => total + row[sum], 0)
      : written.reduce((total, row) => total + Number(row[column] ?? 0), 0)
    const source = rows.reduce((total, row) => total + (Math.trunc(Number(row[column] ?? 0)) || 0), 0)
    table.sums[column] = { source, target: before + now }
  }
}
