import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Database } from '../db/database.ts'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import { GatewayError } from '../errors.ts'
import { ID_MAX, requireWholeNumber } from '../input.ts'
import { DEFAULT_PERCENTS } from './notice.ts'
import { readableAccounts, thresholdRights } from './rights.ts'
import type { NoticeThreshold } from './schema.ts'

const PERCENTS_MAX = 10

/**
 * Manages thresholds, which are used percentages of balances and budgets that cause notices. Users set the thresholds
 * of their account and keys. Owners and admins of a team also set the thresholds of the team and its keys.
 * Administrators of the gateway also set the thresholds of teams and of users with a lower role.
 */
export function createNoticeThresholds({ db, audit }: { db: Database; audit: Audit }) {
  /**
   * Returns the actor's rights to the thresholds of a user or key. Throws USER_NOT_FOUND or TOKEN_NOT_FOUND if the
   * actor has no rights. Throws TEAM_ROLE if the actor is a plain member of the team.
   */
  async function requireSubject(trx: Knex.Transaction, actor: Actor, { subject, subject_id: id }: NoticeThreshold) {
    if (subject === 'user') {
      const rights = await thresholdRights(trx, actor, id)
      if (!rights) throw new GatewayError('USER_NOT_FOUND', { id })
      if (rights === 'own-keys') throw new GatewayError('TEAM_ROLE', { role: 'admin' })
      return rights
    }
    const row =
      id <= ID_MAX && (await trx('tokens').where({ id }).whereNull('deleted_at').first('user_id', 'member_id'))
    const rights = row && (await thresholdRights(trx, actor, row.user_id))
    if (!rights || (rights === 'own-keys' && row.member_id !== actor.id))
      throw new GatewayError('TOKEN_NOT_FOUND', { id })
    return rights
  }

  return {
    /**
     * Returns the thresholds that were set for an account and its keys, without the defaults. Without `user_id`,
     * returns those of the actor and the actor's teams. Plain members of a team get only the thresholds of their own
     * keys. Throws USER_NOT_FOUND.
     */
    async list(
      actor: Actor,
      { user_id: userId = actor.id }: { user_id?: number | undefined } = {},
    ): Promise<NoticeThreshold[]> {
      const accounts = await readableAccounts(db.reader, actor, userId)
      if (!accounts) throw new GatewayError('USER_NOT_FOUND', { id: userId })
      const { whole, ownKeys } = accounts
      const keys = db
        .reader('tokens')
        .whereNull('deleted_at')
        .where((either) => {
          either
            .whereIn('user_id', whole)
            .orWhere((key) => key.whereIn('user_id', ownKeys).where({ member_id: actor.id }))
        })
        .select('id')
      const rows: { subject: 'user' | 'token'; subject_id: number; percents: JsonText<number[]> }[] = await db
        .reader('notice_thresholds')
        .where((users) => users.where({ subject: 'user' }).whereIn('subject_id', whole))
        .orWhere((tokens) => tokens.where({ subject: 'token' }).whereIn('subject_id', keys))
        .orderBy(['subject', 'subject_id'])
        .select('subject', 'subject_id', 'percents')
      return rows.map(({ percents, ...row }) => ({ ...row, percents: percentsIn(percents) }))
    },

    /**
     * Sets the thresholds of a user or token. Throws FIELD_RANGE, FIELD_WHOLE_NUMBER, FIELD_TOO_MANY, USER_NOT_FOUND,
     * TOKEN_NOT_FOUND, TEAM_ROLE.
     */
    async set(actor: Actor, threshold: NoticeThreshold): Promise<NoticeThreshold> {
      const { subject, subject_id } = threshold
      const checked = threshold.percents.map((percent) => requireWholeNumber('percents', percent, { min: 1, max: 100 }))
      const percents = [...new Set(checked)].sort((a, b) => a - b)
      if (percents.length > PERCENTS_MAX)
        throw new GatewayError('FIELD_TOO_MANY', { field: 'percents', max: PERCENTS_MAX })
      await db.transaction(async (trx) => {
        const rights = await requireSubject(trx, actor, threshold)
        const before = await trx('notice_thresholds').where({ subject, subject_id }).first('percents')
        const row = { subject, subject_id, percents: toJson(percents) }
        await trx('notice_thresholds').insert(row).onConflict(['subject', 'subject_id']).merge()
        // The next check (levels.ts) then compares the changed subject.
        await recordChange(trx, subject, [subject_id])
        if (rights !== 'foreign') return
        await audit.write(trx, actor, {
          action: 'notice.threshold',
          object: `${subject}:${subject_id}`,
          before: { percents: percentsIn(before?.percents) },
          after: { percents },
        })
      })
      return { subject, subject_id, percents }
    },
  }
}

export function percentsIn(text: JsonText<number[]> | undefined | null): number[] {
  return text ? fromJson(text) : [...DEFAULT_PERCENTS]
}

/** Returns the highest of the percentages that `used` has reached, or 0. `used` and `total` are amounts of quota. */
export function levelOf(percents: readonly number[], { used, total }: { used: number; total: number }): number {
  if (total <= 0) return 0
  // Multiply instead of dividing, so that the comparison of whole numbers is exact.
  return Math.max(0, ...percents.filter((percent) => used * 100 >= percent * total))
}
