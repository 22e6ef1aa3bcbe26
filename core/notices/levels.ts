import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { ClockMs } from '../limits/exchange.ts'
import { changedUsers, chunks, nextCursor, readCursor, readSight, storeCursor } from './changed-accounts.ts'
import { type LevelScope, readLevelScope } from './level-scope.ts'
import { type MeasuredUsage, measureUsage, type UserRow } from './measured-usage.ts'
import { recordNotice } from './outbox.ts'

/** Compares balances and budgets with their thresholds. */
export interface NoticeLevels {
  /**
   * Checks the changed accounts with a subscribed target, and writes a notice for each newly reached threshold: once, until the
   * share falls below it or the balance is credited. Does nothing without such a target. Thresholds already reached when the
   * gateway's target is new are stored without a notice.
   */
  check(signal: AbortSignal): Promise<LevelCheck>
}

/** Numbers of written notices and of compared users. */
export interface LevelCheck {
  readonly notices: number
  readonly users: number
}

const PAGE = 500
const CHANGES_AT_ONCE = 50
/** Key of the row of `meta` that marks the first check of all accounts as done. */
const LOOKED_AT_ALL = 'notice-levels-of-all'

interface StoredLevel {
  readonly level: number
  readonly basis: string
}

export function createNoticeLevels({
  db,
  clock,
  now,
}: {
  db: Database
  clock: ClockMs
  now: () => number
}): NoticeLevels {
  /** Yields the enabled ones of these users; undefined: all users. */
  async function* pages(ids: readonly number[] | undefined): AsyncGenerator<UserRow[]> {
    const users = () =>
      db
        .reader('users')
        .where({ status: USER_STATUS.enabled })
        .whereNull('deleted_at')
        .orderBy('id')
        .select('id', 'username', 'quota')
    if (ids) {
      for (const part of chunks(ids)) yield await users().whereIn('id', part)
      return
    }
    for (let after = 0; ; ) {
      const rows: UserRow[] = await users().where('id', '>', after).limit(PAGE)
      if (rows.length > 0) yield rows
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? after
    }
  }

  /** Updates the stored level to the measured one. Returns whether a notice was written. */
  async function storeLevel(
    trx: Knex.Transaction,
    { level, basis, ...about }: MeasuredUsage,
    stored: StoredLevel | undefined,
    silent: boolean,
  ): Promise<boolean> {
    const { subject } = about
    const row = { subject, user_id: about.userId, level, basis }
    // Of concurrent processes, the one that finds the row unchanged writes the notice.
    const moved = stored
      ? await trx('notice_levels').where({ subject, level: stored.level, basis: stored.basis }).update({ level, basis })
      : (await trx('notice_levels').insert(row).onConflict('subject').ignore().returning('subject')).length
    if (moved === 0 || silent || level <= levelBefore(stored, basis)) return false
    return (await recordNotice(trx, { ...about, now: now() })) !== undefined
  }

  async function compareLevels(
    measured: readonly MeasuredUsage[],
    { all, hasRecipient }: LevelScope,
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
      // In a team, a level that no target gets notices of stays new for later targets.
      if (!all && level > levelBefore(before, basis) && !hasRecipient(usage)) return false
      return before ? before.level !== level || (before.basis !== basis && level > 0) : level > 0
    })
    let count = 0
    // In small transactions, since charges wait for them on SQLite.
    for (let at = 0; at < changed.length; at += CHANGES_AT_ONCE) {
      count += await db.transaction(async (trx) => {
        let written = 0
        for (const each of changed.slice(at, at + CHANGES_AT_ONCE)) {
          if (await storeLevel(trx, each, stored.get(each.subject), isFirst && !hasRecipient(each))) written++
        }
        return written
      })
    }
    return count
  }

  return {
    async check(signal) {
      const cursor = await readCursor(db.reader)
      const looked = (await db.reader('meta').where({ key: LOOKED_AT_ALL }).first('key')) !== undefined
      // Before the targets: the edit of a later one is after this position.
      const sight = await readSight(db)
      const scope = await readLevelScope(db.reader)
      const { all, accounts } = scope
      if (looked && !all) await db.transaction((trx) => trx('meta').where({ key: LOOKED_AT_ALL }).delete())
      if (!all && accounts.size === 0) {
        if (cursor) await db.transaction((trx) => storeCursor(trx, { from: cursor, to: undefined }))
        return { notices: 0, users: 0 }
      }
      const isFirst = all && !looked
      const changed = isFirst ? undefined : await changedUsers(db, cursor, { sight, now: now() })
      const ids = all ? changed : (changed ?? [...accounts]).filter((id) => accounts.has(id))
      let [notices, users] = [0, 0]
      for await (const page of pages(ids)) {
        if (signal.aborted) return { notices, users }
        notices += await compareLevels(await measureUsage(db.reader, page, clock), scope, { isFirst })
        users += page.length
      }
      const next = nextCursor(cursor, sight, now())
      if (next !== cursor || isFirst) {
        const row = { key: LOOKED_AT_ALL, value: String(now()) }
        await db.transaction(async (trx) => {
          await storeCursor(trx, { from: cursor, to: next })
          if (isFirst) await trx('meta').insert(row).onConflict('key').ignore()
        })
      }
      return { notices, users }
    },
  }
}

/** A level that was stored before the last credit does not count. */
function levelBefore(stored: StoredLevel | undefined, basis: string): number {
  return stored?.basis === basis ? stored.level : 0
}
