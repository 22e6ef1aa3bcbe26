import type { Knex } from 'knex'
import { type Actor, isGateway, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import { whereStartsWith } from '../db/like.ts'
import { inParts } from '../in-parts.ts'
import { pageBounds } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import type { AuditAction } from './actions.ts'
import { AUDITED_TABLES, type AuditedFields, type AuditedKind, auditedFieldsOf, difference } from './kinds.ts'
import type { AuditEntry } from './schema.ts'

export type { AuditEntry } from './schema.ts'

/** A change of rows to audit. */
export interface AuditedChange {
  actor: Actor
  action: AuditAction
  kind: AuditedKind
  /** Selects the rows that the change will affect. Absent if the change only creates rows. */
  rows?: (rows: Knex.QueryBuilder) => Knex.QueryBuilder
}

/** An action for which the caller provides the audited fields, because the action changes no audited rows. */
export interface AuditedAct {
  action: AuditAction
  /** A kind of objects, or `kind:id`. */
  object: string
  before?: AuditedFields | null
  after?: AuditedFields | null
}

export interface AuditQuery {
  /** A user name, or a user id. */
  actor?: string | undefined
  /** An action, or the part before its dot: `channel`. */
  action?: string | undefined
  /** An object, or its kind: `channel:7`, `channel`. */
  object?: string | undefined
  /** First and last second, in Unix seconds. */
  from?: number | undefined
  to?: number | undefined
  /** Returns only older entries (smaller ids). For the next page, pass the last id of the current page. */
  beforeId?: number | undefined
  /** Returns only newer entries (larger ids), oldest first. */
  afterId?: number | undefined
  pageSize?: number | undefined
}

/** The audit of administrators' actions. Entries are added, and never changed or deleted. */
export interface Audit {
  /**
   * Runs `work` and writes one entry for each row that `work` changed, in the same transaction. `createdIds` returns
   * the ids of rows that `work` created. Actions of the gateway itself are not written.
   */
  around<T>(
    trx: Knex.Transaction,
    change: AuditedChange,
    work: () => Promise<T>,
    createdIds?: (result: T) => readonly (number | string)[],
  ): Promise<T>
  /** Writes entries. Call it at the end of a transaction, because only one transaction at a time can write entries. */
  write(trx: Knex.Transaction, actor: Actor, ...acts: AuditedAct[]): Promise<void>
  /** Writes an entry in its own transaction. For entries before an action, and for actions that write no rows. */
  writeAlone(actor: Actor, act: AuditedAct): Promise<void>
  /** Returns entries, newest first, or oldest first if `afterId` is given. Root only. */
  list(actor: Actor, query?: AuditQuery): Promise<AuditEntry[]>
}

const ROWS_PER_STATEMENT = 500
const NAME_LENGTH_MAX = 255
const ADDRESS_LENGTH_MAX = 64

interface Row {
  audit_id: number | string
  [column: string]: unknown
}
type Snapshot = Map<string, AuditedFields>

export function createAudit({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }): Audit {
  function snapshot(kind: AuditedKind, rows: readonly Row[]): Snapshot {
    return new Map(
      rows.map(({ audit_id, ...row }) => [
        String(audit_id),
        auditedFieldsOf(kind, AUDITED_TABLES[kind].idColumn === 'key' ? { ...row, key: audit_id } : row, secrets),
      ]),
    )
  }

  const select = (trx: Knex.Transaction, kind: AuditedKind) => {
    const { table, idColumn, columns } = AUDITED_TABLES[kind]
    return trx(table)
      .select(`${idColumn} as audit_id`, ...columns)
      .orderBy(idColumn)
  }

  async function readRows(trx: Knex.Transaction, kind: AuditedKind, ids: readonly (number | string)[]) {
    const rows: Row[] = []
    for (const part of inParts(ids, ROWS_PER_STATEMENT)) {
      rows.push(...(await select(trx, kind).whereIn(AUDITED_TABLES[kind].idColumn, part)))
    }
    return rows
  }

  async function write(trx: Knex.Transaction, actor: Actor, ...acts: AuditedAct[]): Promise<void> {
    if (isGateway(actor) || acts.length === 0) return
    const shared = {
      created_at: now(),
      actor_id: actor.id,
      actor: await nameOf(trx, actor),
      address: (actor.origin?.address ?? '').slice(0, ADDRESS_LENGTH_MAX),
    }
    const rows = acts.map(({ action, object, before, after }) => ({
      ...shared,
      action,
      object: object.slice(0, NAME_LENGTH_MAX),
      before: before ? toJson(before) : null,
      after: after ? toJson(after) : null,
    }))
    // Only one transaction writes at a time, so that entries are committed in the order of their ids. Otherwise a
    // reader that requests only larger ids could miss an entry.
    await db.serialize(trx, 'audit')
    await trx.batchInsert('audit', rows, ROWS_PER_STATEMENT / 10)
  }

  return {
    async around(trx, { actor, action, kind, rows }, work, createdIds = () => []) {
      if (isGateway(actor)) return work()
      const lockedRows: Row[] = rows ? await rows(select(trx, kind)).forUpdate() : []
      const before = snapshot(kind, lockedRows)
      const result = await work()
      const ids = lockedRows.map(({ audit_id }) => audit_id)
      for (const id of createdIds(result)) if (!before.has(String(id))) ids.push(id)
      const after = snapshot(kind, await readRows(trx, kind, ids))
      const acts = ids.flatMap((id): AuditedAct[] => {
        const changed = difference(before.get(String(id)), after.get(String(id)))
        return changed ? [{ action, object: `${kind}:${id}`, ...changed }] : []
      })
      await write(trx, actor, ...acts)
      return result
    },

    write,

    writeAlone: (actor, act) => db.transaction((trx) => write(trx, actor, act)),

    async list(actor, { actor: actorName, action, object, from, to, beforeId, afterId, pageSize } = {}) {
      requireRole(actor, ROLE.root)
      const rows: StoredEntry[] = await db
        .reader('audit')
        .modify((where) => {
          if (actorName) where.where((either) => whereActor(either, actorName))
          if (action) where.where((either) => wherePart(either, 'action', action, '.'))
          if (object) where.where((either) => wherePart(either, 'object', object, ':'))
          if (from) where.where('created_at', '>=', from)
          if (to) where.where('created_at', '<=', to)
          if (beforeId) where.where('id', '<', beforeId)
          if (afterId !== undefined) where.where('id', '>', afterId)
        })
        .orderBy('id', afterId === undefined ? 'desc' : 'asc')
        .limit(pageBounds(pageSize === undefined ? {} : { pageSize }).page_size)
        .select('id', 'created_at', 'actor_id', 'actor', 'address', 'action', 'object', 'before', 'after')
      return rows.map((row) => ({ ...row, before: parseFields(row.before), after: parseFields(row.after) }))
    },
  }
}

/** Returns the actor's operating-system user if known, else the actor's current user name. */
async function nameOf(trx: Knex.Transaction, { id, origin }: Actor): Promise<string> {
  if (origin?.osUser) return origin.osUser.slice(0, NAME_LENGTH_MAX)
  const user = await trx('users').where({ id }).first('username')
  return user?.username ?? ''
}

function whereActor(either: Knex.QueryBuilder, actorName: string): void {
  either.where({ actor: actorName })
  if (/^\d{1,9}$/.test(actorName)) either.orWhere({ actor_id: Number(actorName) })
}

/** Matches the whole text, or the part before the separator. */
function wherePart(either: Knex.QueryBuilder, column: string, text: string, separator: string): void {
  either.where({ [column]: text })
  either.orWhere((start) => whereStartsWith(start, column, text + separator))
}

type StoredEntry = Omit<AuditEntry, 'before' | 'after'> & Record<'before' | 'after', JsonText<AuditedFields> | null>

function parseFields(text: JsonText<AuditedFields> | null): AuditedFields | null {
  return text === null ? null : fromJson(text)
}
