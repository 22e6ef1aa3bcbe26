import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { groupExists } from '../groups/groups.ts'
import type { Options } from '../options/options.ts'
import type { Secrets } from '../secrets.ts'
import { countedSubjectIdOf, withoutReplaced } from './applicable.ts'
import { checkCombination, checkLimit, findSubjectId, KEY_POSITION } from './check.ts'
import type { ClockMs } from './exchange.ts'
import { type CountedLimit, EACH, type Limit, type LimitStatus, type LimitSubject, type NewLimit } from './limit.ts'
import { readSubjectNames } from './names.ts'
import { deleteLimits, removeOldWindows } from './remove.ts'
import { mayChange, requireOwnSubject, visibleSubjects } from './rights.ts'
import { type LimitRow, readLimits } from './rows.ts'
import type { LearnedLimit } from './schema.ts'
import { nextAvailability, type PartAmounts, partAt, partsInWindow, sumOf } from './windows.ts'

export interface LimitQuery {
  subject?: LimitSubject | undefined
  subject_id?: string | undefined
}

/**
 * Manages limits of requests. Administrators manage all limits. Other users read the limits of their account and keys.
 * They set and remove limits of their own keys. Owners and admins of a team also set and remove limits of its keys and
 * members.
 */
export type Limits = ReturnType<typeof createLimits>

/** A limit that was set, and the row that it replaced. */
interface SetLimit {
  id: number
  subject_id: string
  before: LimitRow | undefined
}

/** Maximum number of counts to return for one default. Older counts are omitted. */
const COUNTS_MAX = 1000

export function createLimits(parts: {
  db: Database
  options: Options
  follower: Follower
  audit: Audit
  secrets: Secrets
  clock: ClockMs
  now: () => number
}) {
  const { db, options, follower, audit, secrets, clock, now } = parts
  const isAdmin = ({ role }: Actor) => role >= ROLE.admin

  async function withNames(rows: readonly LimitRow[]): Promise<Limit[]> {
    const names = await readSubjectNames(db.reader, rows)
    return rows.map(({ set_by: _, set_by_admin: __, ...row }) => ({ ...row, name: names(row.subject, row.subject_id) }))
  }

  async function setOne(trx: Knex.Transaction, actor: Actor, input: NewLimit): Promise<SetLimit> {
    const valid = checkLimit(input)
    if (!isAdmin(actor)) {
      await requireOwnSubject(trx, actor, valid)
      if (valid.action === 'notify') throw new GatewayError('LIMIT_NOTIFY')
    }
    const checked = { ...valid, subject_id: await findSubjectId(trx, valid, secrets) }
    const { subject, subject_id, measure, period } = checked
    if (subject === 'group' && subject_id !== EACH && !groupExists(options, subject_id)) {
      throw new GatewayError('GROUP_NOT_FOUND', { group: subject_id })
    }
    const [before] = await readLimits(trx, (rows) => void rows.where({ subject, subject_id, measure, period }))
    if (before && !isAdmin(actor) && !(await mayChange(trx, actor, before))) throw new GatewayError('LIMIT_NOT_OWN')
    const row = { ...checked, set_by: actor.id, updated_at: now() }
    let id = before?.id ?? 0
    if (before) await trx('limits').where({ id }).update(row)
    else {
      const [inserted] = await trx('limits')
        .insert({ ...row, created_at: now() })
        .returning('id')
      id = Number(inserted?.id)
    }
    if (before && before.time_zone !== row.time_zone) {
      await moveWindows(trx, { id, from: before, to: checked, nowMs: await clock(trx) })
    }
    await recordChange(trx, 'limit', [id])
    return { id, subject_id, before }
  }

  /** Returns the subjects whose limits the actor may see, or undefined for all. */
  const visibleIds = async (actor: Actor) => (isAdmin(actor) ? undefined : visibleSubjects(db.reader, actor))

  /** Replaces the position of a channel's key by its digest. Throws CHANNEL_NOT_FOUND, CHANNEL_KEY_UNKNOWN. */
  async function byDigest(actor: Actor, query: LimitQuery): Promise<LimitQuery> {
    const { subject, subject_id } = query
    if (!isAdmin(actor) || subject !== 'channel-key' || !subject_id || !KEY_POSITION.test(subject_id)) return query
    return { subject, subject_id: await findSubjectId(db.reader, { subject, subject_id }, secrets) }
  }

  async function readVisible(actor: Actor, { subject, subject_id }: LimitQuery): Promise<LimitRow[]> {
    const visible = await visibleIds(actor)
    const rows = await readLimits(db.reader, (limits) => {
      if (subject !== undefined) limits.where({ subject })
      if (subject_id !== undefined) limits.whereIn('subject_id', [subject_id, EACH])
    })
    if (!visible) return rows
    return rows.filter((row) =>
      row.subject_id === EACH ? Object.hasOwn(visible, row.subject) : visible[row.subject]?.includes(row.subject_id),
    )
  }

  /** Returns pairs of a limit and the id of a subject for which the limit counts. */
  async function withCountedSubjects(
    actor: Actor,
    rows: readonly LimitRow[],
    query: LimitQuery,
  ): Promise<[LimitRow, string][]> {
    const visible = await visibleIds(actor)
    const pairs: [LimitRow, string][] = []
    for (const row of rows) {
      if (row.subject_id !== EACH) pairs.push([row, countedSubjectIdOf(row)])
      else for (const id of await idsOfDefault(row, requestedIds(row, query, visible))) pairs.push([row, id])
    }
    // Omit defaults that the subject's own limits replace.
    return pairs.filter(([row, id]) => {
      if (row.subject_id !== EACH) return true
      const ofSubject = rows.filter((other) => other.subject === row.subject && other.subject_id === id)
      return withoutReplaced([row], ofSubject).length > 0
    })
  }

  async function idsOfDefault({ id }: LimitRow, ids: readonly string[] | undefined): Promise<readonly string[]> {
    if (ids !== undefined) return ids
    return db
      .reader('limit_windows')
      .where({ limit_id: id })
      .orderBy('updated_at', 'desc')
      .limit(COUNTS_MAX)
      .pluck('subject_id')
  }

  return {
    /** Returns the limits of a subject and the defaults for such subjects, or all limits that the actor may see. */
    async list(actor: Actor, query: LimitQuery = {}): Promise<Limit[]> {
      return withNames(await readVisible(actor, await byDigest(actor, query)))
    },

    /**
     * Sets all of these limits, or none. Each limit replaces an existing one of the same subject, measure and period.
     * Returns the limits. Throws FIELD_*, LIMIT_*, PERMISSION_DENIED, TEAM_ROLE, TOKEN_NOT_FOUND, USER_NOT_FOUND,
     * GROUP_NOT_FOUND, CHANNEL_NOT_FOUND, CHANNEL_KEY_UNKNOWN, TEAM_NOT_FOUND, TEAM_MEMBER_NOT_FOUND.
     */
    async set(actor: Actor, limits: readonly NewLimit[]): Promise<Limit[]> {
      const ids = await db.transaction(async (trx) => {
        await db.serialize(trx, 'limits')
        const set: SetLimit[] = []
        for (const limit of limits) set.push(await setOne(trx, actor, limit))
        const ids = set.map(({ id }) => id)
        const subjectIds = [...new Set(set.map(({ subject_id }) => subject_id))]
        const after = await readLimits(trx, (rows) => void rows.whereIn('subject_id', subjectIds))
        const changed = after.filter(({ id }) => ids.includes(id))
        for (const { subject, subject_id } of changed) {
          checkCombination(after.filter((row) => row.subject === subject && row.subject_id === subject_id))
        }
        const acts = changed.map((row) => ({
          action: 'limit.set' as const,
          object: `limit:${row.id}`,
          before: fieldsOf(set.find(({ id }) => id === row.id)?.before),
          after: fieldsOf(row),
        }))
        if (isAdmin(actor)) await audit.write(trx, actor, ...acts)
        return ids
      })
      await follower.catchUp()
      const rows = await withNames(await readLimits(db.reader, (limits) => void limits.whereIn('id', ids)))
      return ids.map((id) => rows.find((row) => row.id === id)).filter((row) => row !== undefined)
    },

    /** Removes a limit and returns it. Throws LIMIT_NOT_FOUND, LIMIT_NOT_OWN. */
    async remove(actor: Actor, id: number): Promise<Limit> {
      const removed = await db.transaction(async (trx) => {
        await db.serialize(trx, 'limits')
        const [row] = await readLimits(trx, (limits) => void limits.where({ id }))
        const limit = row && (await readVisible(actor, {})).some((each) => each.id === id) ? row : undefined
        if (!limit) throw new GatewayError('LIMIT_NOT_FOUND', { id })
        if (!isAdmin(actor) && !(await mayChange(trx, actor, limit))) throw new GatewayError('LIMIT_NOT_OWN')
        const removedLimits = await withNames([limit])
        await deleteLimits(trx, [id])
        if (isAdmin(actor)) {
          const act = { action: 'limit.remove' as const, object: `limit:${id}`, before: fieldsOf(limit), after: null }
          await audit.write(trx, actor, act)
        }
        return removedLimits
      })
      await follower.catchUp()
      return requireRow(removed[0])
    },

    /** Returns the usage of each limit that applies to a subject, or of all limits that the actor may see. */
    async status(actor: Actor, requestQuery: LimitQuery = {}): Promise<LimitStatus[]> {
      const query = await byDigest(actor, requestQuery)
      const rows = await readVisible(actor, query)
      const pairs = await withCountedSubjects(actor, rows, query)
      const limits = await withNames(rows)
      const windows = await db
        .reader('limit_windows')
        .whereIn('limit_id', [...new Set(rows.map(({ id }) => id))])
        .select('limit_id', 'subject_id', 'taken')
      const taken = new Map(
        windows.map((row) => [`${row.limit_id} ${row.subject_id}`, fromJson<PartAmounts>(row.taken)]),
      )
      const nowMs = await clock(db.reader)
      const names = await readSubjectNames(
        db.reader,
        pairs.map(([{ subject }, subject_id]) => ({ subject, subject_id })),
      )
      return pairs.flatMap(([{ id, subject }, subject_id]) => {
        const limit = limits.find((each) => each.id === id)
        if (!limit) return []
        const parts = taken.get(`${id} ${subject_id}`) ?? []
        return [{ limit, subject_id, name: names(subject, subject_id), ...usageOf(limit, parts, nowMs) }]
      })
    },

    /** Removes the counts of ended windows and of deleted limits. Returns the number of removed counts. */
    removeOldWindows: (): Promise<number> => db.transaction((trx) => removeOldWindows(trx, now())),

    /** Returns the upstreams' own limits, as last reported. Administrators only. Throws PERMISSION_DENIED. */
    async learned(actor: Actor): Promise<LearnedLimit[]> {
      requireRole(actor, ROLE.admin)
      const rows: LearnedLimit[] = await db
        .reader('learned_limits')
        .orderBy(['channel_id', 'key_digest', 'measure'])
        .select('channel_id', 'key_digest', 'measure', 'amount', 'remaining', 'resets_at', 'seen_at')
      return rows
    },
  }
}

/**
 * Returns the ids of the subjects whose counts of a default are listed. The actor has requested these subjects and may
 * see them. Undefined means all subjects.
 */
function requestedIds(
  { subject }: LimitRow,
  { subject_id: requestedId }: LimitQuery,
  visible: Partial<Record<LimitSubject, string[]>> | undefined,
): readonly string[] | undefined {
  if (!visible) return requestedId === undefined ? undefined : [requestedId]
  const ids = visible[subject] ?? []
  return requestedId === undefined ? ids : ids.filter((id) => id === requestedId)
}

function usageOf(
  limit: Limit,
  parts: PartAmounts,
  nowMs: number,
): Pick<LimitStatus, 'used' | 'remaining' | 'resets_at'> {
  const live = partsInWindow(parts, partAt(limit, nowMs))
  const used = sumOf(live)
  return {
    used,
    remaining: Math.max(0, limit.amount - used),
    resets_at: used === 0 ? 0 : Math.ceil(nextAvailability(limit, live, { needed: 1, nowMs }) / 1000),
  }
}

function fieldsOf(row: LimitRow | undefined): Record<string, unknown> | null {
  if (!row) return null
  const { subject, subject_id, measure, period, time_zone, amount, action, wait_seconds } = row
  return { subject, subject_id, measure, period, time_zone, amount, action, wait_seconds }
}

const ROWS_PER_INSERT = 100

type WindowFields = Pick<CountedLimit, 'period' | 'time_zone'>

/**
 * Moves the counts of a limit to the current window of its new time zone, in the caller's transaction. Otherwise an
 * edit of the time zone would allow the whole amount again.
 */
async function moveWindows(
  trx: Knex.Transaction,
  { id, from, to, nowMs }: { id: number; from: WindowFields; to: WindowFields; nowMs: number },
): Promise<void> {
  const rows: { subject_id: string; taken: JsonText<PartAmounts>; notified_at: number; updated_at: number }[] =
    await trx('limit_windows')
      .where({ limit_id: id })
      .orderBy('subject_id')
      .forUpdate()
      .select('subject_id', 'taken', 'notified_at', 'updated_at')
  await trx('limit_windows').where({ limit_id: id }).delete()
  const before = partAt(from, nowMs)
  // For up to a second, other processes still count in the old window and drop parts that are older than this window.
  const start = Math.max(partAt(to, nowMs).start, before.oldestStart)
  const moved = rows.flatMap(({ taken, ...row }) => {
    const used = sumOf(partsInWindow(fromJson(taken), before))
    return used === 0 ? [] : [{ ...row, limit_id: id, taken: toJson<PartAmounts>([[start, used]]) }]
  })
  await trx.batchInsert('limit_windows', moved, ROWS_PER_INSERT)
}
