import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { inParts } from '../in-parts.ts'
import type { ClockMs } from '../limits/exchange.ts'
import { changedUsers, IDS_PER_QUERY, nextCursor, readCursor, readNewestRows, storeCursor } from './changed-accounts.ts'
import { type LevelScope, readLevelScope } from './level-scope.ts'
import { type MeasuredUsage, type MeasuredUser, measureUsage } from './measured-usage.ts'
import { recordNotice } from './outbox.ts'

/** The numbers of written notices and of compared users. */
interface LevelCheck {
  readonly notices: number
  readonly users: number
}

const PAGE = 500
const CHANGES_AT_ONCE = 50
/** Key of the row of `meta` that exists after the first check of all accounts. */
const ALL_CHECKED_KEY = 'notice-levels-of-all'

interface StoredLevel {
  /** The highest reached percentage. */
  readonly level: number
  /** See `MeasuredUsage`. */
  readonly basis: string
}

/** Compares balances and budgets with their thresholds. */
export function createNoticeLevels(parts: { db: Database; clock: ClockMs; now: () => number }) {
  const { db, clock, now } = parts
  /** Yields the enabled users with these ids, in pages. If `ids` is undefined, yields all enabled users. */
  async function* pages(ids: readonly number[] | undefined): AsyncGenerator<MeasuredUser[]> {
    const users = () =>
      db
        .reader('users')
        .where({ status: USER_STATUS.enabled })
        .whereNull('deleted_at')
        .orderBy('id')
        .select('id', 'username', 'quota')
    if (ids) {
      for (const part of inParts(ids, IDS_PER_QUERY)) yield await users().whereIn('id', part)
      return
    }
    for (let after = 0; ; ) {
      const rows: MeasuredUser[] = await users().where('id', '>', after).limit(PAGE)
      if (rows.length > 0) yield rows
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? after
    }
  }

  /** Stores the measured level, and writes a notice unless `isSilent`. Returns whether a notice was written. */
  async function storeLevel(
    trx: Knex.Transaction,
    { level, basis, ...about }: MeasuredUsage,
    stored: StoredLevel | undefined,
    isSilent: boolean,
  ): Promise<boolean> {
    const { subject } = about
    const row = { subject, user_id: about.userId, level, basis }
    // If processes run concurrently, only the one that finds the row unchanged writes the notice.
    const writtenRows = stored
      ? await trx('notice_levels').where({ subject, level: stored.level, basis: stored.basis }).update({ level, basis })
      : (await trx('notice_levels').insert(row).onConflict('subject').ignore().returning('subject')).length
    if (writtenRows === 0 || isSilent || level <= levelBefore(stored, basis)) return false
    return (await recordNotice(trx, { ...about, now: now() })) !== undefined
  }

  async function compareLevels(
    measured: readonly MeasuredUsage[],
    { coversAll, hasRecipient }: LevelScope,
    { isFirst }: { isFirst: boolean },
  ): Promise<number> {
    const userIds = [...new Set(measured.map(({ userId }) => userId))]
    const rows: ({ subject: string } & StoredLevel)[] = await db
      .reader('notice_levels')
      .whereIn('user_id', userIds)
      .select('subject', 'level', 'basis')
    const stored = new Map(rows.map((row) => [row.subject, row]))
    const changed = measured.filter((usage) => {
      const { subject, level, basis } = usage
      const before = stored.get(subject)
      // Store a level only if a target gets its notice. Otherwise a target that is created later would miss the notice.
      if (!coversAll && level > levelBefore(before, basis) && !hasRecipient(usage)) return false
      return before ? before.level !== level || (before.basis !== basis && level > 0) : level > 0
    })
    let count = 0
    // Use small transactions, because charges on SQLite wait for them.
    for (const part of inParts(changed, CHANGES_AT_ONCE)) {
      count += await db.transaction(async (trx) => {
        let written = 0
        for (const each of part) {
          if (await storeLevel(trx, each, stored.get(each.subject), isFirst && !hasRecipient(each))) written++
        }
        return written
      })
    }
    return count
  }

  return {
    /**
     * Compares the usage of changed accounts with their thresholds, if a target gets their notices. Writes a notice for
     * each newly reached threshold. A threshold can be reached again after the usage was below it or the balance was
     * credited. Stops early if `signal` aborts.
     *
     * In the first check with a target of the gateway, many thresholds are already reached. Such a threshold causes a
     * notice only if a user's target gets the notice.
     */
    async check(signal: AbortSignal): Promise<LevelCheck> {
      const cursor = await readCursor(db.reader)
      const wasAllChecked = (await db.reader('meta').where({ key: ALL_CHECKED_KEY }).first('key')) !== undefined
      // Read the newest ids before the targets. If a target is edited later, its row in `changes` has a higher id.
      const newestRows = await readNewestRows(db)
      const scope = await readLevelScope(db.reader)
      const { coversAll, accounts } = scope
      if (wasAllChecked && !coversAll)
        await db.transaction((trx) => trx('meta').where({ key: ALL_CHECKED_KEY }).delete())
      if (!coversAll && accounts.size === 0) {
        if (cursor) await db.transaction((trx) => storeCursor(trx, { from: cursor, to: undefined }))
        return { notices: 0, users: 0 }
      }
      const isFirst = coversAll && !wasAllChecked
      const changed = isFirst ? undefined : await changedUsers(db, cursor, { newestRows, now: now() })
      const ids = coversAll ? changed : (changed ?? [...accounts]).filter((id) => accounts.has(id))
      let [notices, users] = [0, 0]
      for await (const page of pages(ids)) {
        if (signal.aborted) return { notices, users }
        notices += await compareLevels(await measureUsage(db.reader, page, clock), scope, { isFirst })
        users += page.length
      }
      const next = nextCursor(cursor, newestRows, now())
      if (next !== cursor || isFirst) {
        const row = { key: ALL_CHECKED_KEY, value: String(now()) }
        await db.transaction(async (trx) => {
          await storeCursor(trx, { from: cursor, to: next })
          if (isFirst) await trx('meta').insert(row).onConflict('key').ignore()
        })
      }
      return { notices, users }
    },
  }
}

/** Returns the stored level, or 0 if none was stored since the last credit. */
function levelBefore(stored: StoredLevel | undefined, basis: string): number {
  return stored?.basis === basis ? stored.level : 0
}
