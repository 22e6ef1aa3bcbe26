import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { wholeNumber } from '../input.ts'
import { DEFAULT_PERCENTS } from './notice.ts'
import type { NoticeThreshold } from './schema.ts'

/** Percentages of balances and budgets that cause notices. Users set those of their own account and keys. */
export interface NoticeThresholds {
  /** Returns the thresholds set for the actor's account and keys; others have the default. */
  list(actor: Actor): Promise<NoticeThreshold[]>
  /** Throws FIELD_RANGE, FIELD_WHOLE_NUMBER, USER_NOT_FOUND, TOKEN_NOT_FOUND. */
  set(actor: Actor, threshold: NoticeThreshold): Promise<NoticeThreshold>
}

const PERCENTS_MAX = 10
/** Maximum of the column's type in PostgreSQL. */
const ID_MAX = 2 ** 31 - 1

export function createNoticeThresholds({ db }: { db: Database }): NoticeThresholds {
  /** Throws "not found" for another user's account or key. */
  async function requireOwn(trx: Knex.Transaction, actor: Actor, { subject, subject_id: id }: NoticeThreshold) {
    if (subject === 'user') {
      if (id !== actor.id) throw new GatewayError('USER_NOT_FOUND', { id })
      return
    }
    const row =
      id <= ID_MAX && (await trx('tokens').where({ id, user_id: actor.id }).whereNull('deleted_at').first('id'))
    if (!row) throw new GatewayError('TOKEN_NOT_FOUND', { id })
  }

  return {
    async list(actor) {
      const rows: { subject: 'user' | 'token'; subject_id: number; percents: string }[] = await db
        .reader('notice_thresholds')
        .where({ subject: 'user', subject_id: actor.id })
        .orWhere((tokens) =>
          tokens
            .where({ subject: 'token' })
            .whereIn(
              'subject_id',
              db.reader('tokens').where({ user_id: actor.id }).whereNull('deleted_at').select('id'),
            ),
        )
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
        await requireOwn(trx, actor, threshold)
        const row = { subject, subject_id, percents: JSON.stringify(percents) }
        await trx('notice_thresholds').insert(row).onConflict(['subject', 'subject_id']).merge()
        await recordChange(trx, subject, [subject_id]) // The next check compares its level.
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
