import type { Knex } from 'knex'
import { findAmong } from '../db/bulk-insert.ts'
import { chooseIds } from '../db/new-ids.ts'
import { type Kind, tooManyAbilities } from './kinds.ts'
import { type KnownRows, readKnownRows } from './known-rows.ts'
import type { MapContext, MappedRow } from './mappers/mapper.ts'
import { type RowNote, type TableReport, tableReport } from './report.ts'
import type { SourceRow } from './sources/source.ts'
import { type Again, disableMissing, insertRows, updateRows, type WriteContext } from './write-kind.ts'

/** What the import of one table did, or would do. */
export interface KindOutcome {
  table: TableReport
  skipped: RowNote[]
  changed: RowNote[]
  remapped: { table: string; from: number; to: number }[]
  /** The id here of each row of the source. */
  targets: ReadonlyMap<number, number>
  /** Of users: their names here. */
  names: ReadonlyMap<number, string>
}

const SUM_COLUMNS = {
  users: { quota: 'quota', used: 'used_quota' },
  tokens: { quota: 'remain_quota', used: 'used_quota' },
  channels: { quota: 'quota', used: 'used_quota' },
} as const

/**
 * Imports the rows of one kind in the caller's transaction; with `dry`, only looks. What an earlier import brought is not brought
 * again: its differences are added.
 */
export async function importKind(
  db: Knex,
  kind: Kind,
  rows: readonly SourceRow[],
  { map, write, dry }: { map: MapContext; write: WriteContext; dry: boolean },
): Promise<KindOutcome> {
  const known = await readKnownRows(db, write.sourceId, kind.kind)
  const sorted = sortRows(kind, rows, { map, known })
  const { fresh, again, skipped, changed, table } = sorted
  const refused = await kind.settle(db, fresh, {
    secrets: write.secrets,
    change: (id, what) => changed.push({ table: kind.kind, id, what }),
  })
  for (const [id, what] of refused) skipped.push({ table: kind.kind, id, what })
  const coming = fresh.filter(({ id }) => !refused.has(id))
  const ids = await chooseIds(
    db,
    kind.kind,
    coming.map(({ id }) => id),
  )
  const targets = new Map([...[...known].map(([id, { target }]) => [id, target] as const), ...ids])
  if (kind.kind === 'users') nameInviters(coming, targets)
  const isAgain = (importId: number) => importId !== write.importId
  if (!dry) {
    const trx = db as Knex.Transaction
    await insertRows(trx, kind, { rows: coming, ids }, write)
    const updated = await updateRows(trx, kind, again, write)
    table.updated = updated.length
    const present = new Set(rows.map(({ id }) => Number(id)))
    const gone = kind.kind === 'tokens' ? [...known].filter(([id]) => !present.has(id)).map(([, row]) => row) : []
    const disabled = gone.length > 0 ? await disableMissing(trx, gone, write) : 0
    if (disabled > 0)
      changed.push({ table: 'tokens', id: 0, what: `${disabled} keys were deleted at the source since: disabled` })
  } else {
    table.updated = again.filter(({ row, known: before }) => row.digest !== before.digest).length
  }
  // What a run that was killed has brought belongs to this import, too.
  const earlier = [...known.values()].filter(({ importId }) => isAgain(importId)).length
  table.known = earlier
  table.imported = coming.length + known.size - earlier
  table.skipped = skipped.length
  await compareSums(db, kind, { table, rows, coming, again, ids, dry })
  return {
    table,
    skipped,
    changed,
    remapped: [...ids].flatMap(([from, to]) => (from === to ? [] : [{ table: kind.kind, from, to }])),
    targets,
    names: kind.kind === 'users' ? await namesOf(db, coming, known) : new Map(),
  }
}

interface Sorted {
  fresh: MappedRow[]
  again: Again[]
  skipped: RowNote[]
  changed: RowNote[]
  table: TableReport
}

function sortRows(
  kind: Kind,
  rows: readonly SourceRow[],
  { map, known }: { map: MapContext; known: KnownRows },
): Sorted {
  const sorted: Sorted = { fresh: [], again: [], skipped: [], changed: [], table: tableReport(kind.kind, rows.length) }
  for (const row of rows) {
    const { mapped, skip, changes } = kind.map(row, map)
    const reason = skip ?? (mapped && kind.kind === 'channels' ? tooManyAbilities(mapped) : undefined)
    if (!mapped || reason !== undefined) {
      sorted.skipped.push({ table: kind.kind, id: Number(row.id ?? 0), what: reason ?? 'it cannot be read' })
      continue
    }
    const before = known.get(mapped.id)
    if (before) sorted.again.push({ row: mapped, known: before })
    else sorted.fresh.push(mapped)
    if (before) continue
    for (const what of changes) sorted.changed.push({ table: kind.kind, id: mapped.id, what })
  }
  return sorted
}

/** The inviter's id here; 0 for one who is not imported. */
function nameInviters(rows: readonly MappedRow[], targets: ReadonlyMap<number, number>): void {
  for (const row of rows) row.fields.inviter_id = targets.get(Number(row.fields.inviter_id)) ?? 0
}

async function namesOf(db: Knex, coming: readonly MappedRow[], known: KnownRows): Promise<Map<number, string>> {
  const names = new Map(coming.map(({ id, fields }) => [id, String(fields.username)]))
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

/** Of the source all rows; of the target the rows themselves, as they are in the database after the import. */
async function compareSums(
  db: Knex,
  kind: Kind,
  {
    table,
    rows,
    coming,
    again,
    ids,
    dry,
  }: {
    table: TableReport
    rows: readonly SourceRow[]
    coming: readonly MappedRow[]
    again: readonly Again[]
    ids: ReadonlyMap<number, number>
    dry: boolean
  },
): Promise<void> {
  const columns = SUM_COLUMNS[kind.kind as keyof typeof SUM_COLUMNS]
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
    const before = again.reduce((total, { row }) => total + row[sum], 0)
    const now = dry
      ? coming.reduce((total, row) => total + row[sum], 0)
      : written.reduce((total, row) => total + Number(row[column] ?? 0), 0)
    const source = rows.reduce((total, row) => total + (Math.trunc(Number(row[column] ?? 0)) || 0), 0)
    table.sums[column] = { source, target: before + now }
  }
}
