import type { Knex } from 'knex'
import { type Actor, mayManage } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { wholeNumber } from '../input.ts'
import { DEFAULT_PERCENTS } from './notice.ts'
import type { NoticeThreshold } from './schema.ts'

/**
 * Percentages of balances and budgets that cause notices. Users set those of their own account and keys, administrators also those
 * of users of a lower level.
 */
export interface NoticeThresholds {
  /** Returns the thresholds set for an account, by default the actor's, and its keys; others have the default. Throws USER_NOT_FOUND. */
  list(actor: Actor, query?: { user_id?: number | undefined }): Promise<NoticeThreshold[]>
  /** Throws FIELD_RANGE, FIELD_WHOLE_NUMBER, FIELD_TOO_MANY, USER_NOT_FOUND, TOKEN_NOT_FOUND. */
  set(actor: Actor, threshold: NoticeThreshold): Promise<NoticeThreshold>
}

const PERCENTS_MAX = 10
/** Maximum of the column's type in PostgreSQL. */
const ID_MAX = 2 ** 31 - 1

export function createNoticeThresholds({ db, audit }: { db: Database; audit: Audit }): NoticeThresholds {
  async function mayChange(connection: Knex, actor: Actor, userId: number): Promise<boolean> {
    if (userId === actor.id) return true
    const user = userId <= ID_MAX && (await connection('users').where({ id: userId }).first('id', 'role'))
    return Boolean(user) && mayManage(actor, user)
  }

  /** Returns the user concerned. Throws "not found" for a user or key that the actor may not manage. */
  async function requireSubject(trx: Knex.Transaction, actor: Actor, { subject, subject_id: id }: NoticeThreshold) {
    if (subject === 'user') {
      if (await mayChange(trx, actor, id)) return id
      throw new GatewayError('USER_NOT_FOUND', { id })
    }
    const row = id <= ID_MAX && (await trx('tokens').where({ id }).whereNull('deleted_at').first('user_id'))
    if (row && (await mayChange(trx, actor, row.user_id))) return Number(row.user_id)
    throw new GatewayError('TOKEN_NOT_FOUND', { id })
  }

  return {
    async list(actor, { user_id: userId = actor.id } = {}) {
      if (!(await mayChange(db.reader, actor, userId))) throw new GatewayError('USER_NOT_FOUND', { id: userId })
      const keys = db.reader('tokens').where({ user_id: userId }).whereNull('deleted_at').select('id')
      const rows: { subject: 'user' | 'token'; subject_id: number; percents: string }[] = await db
        .reader('notice_thresholds')
        .where({ subject: 'user', subject_id: userId })
        .orWhere((tokens) => tokens.where({ subject: 'token' }).whereIn('subject_id', keys))
        .orderBy(['subject', 'subject_id'])
        .select('subject', 'subject_id', 'percents')
      return rows.map(({ percents, ...row }) => ({ ...row, percents: percentsIn(percents) }))
    },

    async set(actor, threshold) {
      const { subject, subject_id } = threshold
      const checked = threshold.percents.map((percent) => wholeNumber('percents', percent, { min: 1, max: 100 }))
      const percents = [...new Set(checked)].sort((a, b) => a - b)
      if (percents.length > PERCENTS_MAX)
        throw new GatewayError('FIELD_TOO_MANY', { field: 'percents', max: PERCENTS_MAX })
      await db.transaction(async (trx) => {
        const userId = await requireSubject(trx, actor, threshold)
        const before = await trx('notice_thresholds').where({ subject, subject_id }).first('percents')
        const row = { subject, subject_id, percents: JSON.stringify(percents) }
        await trx('notice_thresholds').insert(row).onConflict(['subject', 'subject_id']).merge()
        await recordChange(trx, subject, [subject_id]) // The next check compares its level.
        if (userId === actor.id) return
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

export function percentsIn(text: string | undefined | null): number[] {
  return text ? (JSON.parse(text) as number[]) : [...DEFAULT_PERCENTS]
}

/** Returns the highest percentage that is used up, or 0. `used` and `total` in quota. */
export function levelOf(percents: readonly number[], { used, total }: { used: number; total: number }): number {
  if (total <= 0) return 0
  // Multiplication compares whole numbers exactly; division would not.
  return Math.max(0, ...percents.filter((percent) => used * 100 >= percent * total))
}
