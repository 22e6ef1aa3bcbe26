import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { type QuotaDisplay, quotaText } from '../logs/texts.ts'
import { fateOf } from '../mail/failure.ts'
import { reminderLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'

/** How low a balance is; also, in `users.quota_notice`, of what its owner was told since it was last higher. */
const AMPLE = 0
const LOW = 1
const USED_UP = 2

const PAGE = 10_000
/** The row of `meta` with the threshold of the last look. */
const THRESHOLD = 'quota-reminder-threshold'
/** For one user whom the mail server refuses for the moment; then they are taken for told. */
const TRIES_MAX = 5

/** Mails to users whose balance became low: once when it falls below QuotaRemindThreshold, once when it is used up. */
export interface QuotaReminders {
  /**
   * Looks at all balances once and sends what is due; does nothing without a mail server. Who is seen for the first time, and
   * who has more again, is noted without a mail; so is who is low only because the threshold was raised. Answers how many
   * were reminded. Throws what `Mail.send` throws when the mail server itself is at fault: whoever is left is due at the
   * next look.
   */
  send(signal: AbortSignal): Promise<number>
}

interface Row {
  id: number
  quota: number
  quota_notice: number | null
}

/** How low a balance is, for a threshold that the operator has set. */
export function lowness(quota: number, threshold: number): number {
  if (quota <= 0) return USED_UP
  return quota < threshold ? LOW : AMPLE
}
/** Whether a balance has come down to this. When the operator has moved the threshold, it is the threshold that came up. */
function fell(told: number, level: number, moved: boolean): boolean {
  return told < level && !(moved && level === LOW)
}
const LOWNESS = `CASE WHEN quota <= 0 THEN ${USED_UP} WHEN quota < ? THEN ${LOW} ELSE ${AMPLE} END`
const RISEN = `(quota_notice IS NULL OR quota_notice > ${LOWNESS})`

/** One look at all balances. `moved`: the threshold is another than at the last. */
interface Look {
  readonly threshold: number
  readonly moved: boolean
}
type Due = Row & { quota_notice: number }

/** Whoever is told. */
function readers(query: Knex.QueryBuilder): void {
  query.where({ status: USER_STATUS.enabled }).whereNot({ email: '' }).whereNull('deleted_at')
}

/**
 * What was told stands in the user's row, and changes in a conditional UPDATE before the mail goes: of two processes one
 * sends it, and a crash may lose a mail but never repeats one. A mail that certainly was not taken is due again.
 */
export function createQuotaReminders({
  db,
  options,
  mail,
  display,
}: {
  db: Database
  options: Options
  mail: Mail
  display: () => QuotaDisplay
}): QuotaReminders {
  const tries = new Map<number, number>()

  async function thresholdThen(): Promise<string | undefined> {
    return (await db.reader('meta').where({ key: THRESHOLD }).first('value'))?.value
  }

  async function keepThreshold(threshold: number): Promise<void> {
    const row = { key: THRESHOLD, value: String(threshold) }
    await db.transaction((trx) => trx('meta').insert(row).onConflict('key').merge())
  }

  /** Notes for whom of these there is no mail. */
  async function note({ first, last }: { first: number; last: number }, { threshold, moved }: Look): Promise<void> {
    await db.transaction(async (trx) => {
      const silent = trx('users')
        .whereBetween('id', [first, last])
        .modify(readers)
        .whereRaw(moved ? `(${RISEN} OR ${LOWNESS} = ${LOW})` : RISEN, moved ? [threshold, threshold] : [threshold])
        .whereRaw(`(quota_notice IS NULL OR quota_notice <> ${LOWNESS})`, [threshold])
        // In the order in which the ledger locks them, too.
        .orderBy('id')
        .forUpdate()
      const quota_notice = trx.raw(LOWNESS, [threshold])
      await trx('users').whereIn('id', silent.select('id')).update({ quota_notice })
    })
  }

  const turn = (id: number, from: number, to: number, still: (query: Knex.QueryBuilder) => void) =>
    db.transaction((trx) =>
      trx('users')
        .where({ id, quota_notice: from })
        .modify(still)
        .update({ quota_notice: to })
        .returning(['quota', 'email']),
    )

  /** Answers whether a mail went out. */
  async function remind(row: Due, threshold: number): Promise<boolean> {
    const { id, quota_notice: told } = row
    const level = lowness(row.quota, threshold)
    const [user] = await turn(id, told, level, (query) => query.whereRaw(`${LOWNESS} = ?`, [threshold, level]))
    if (!user) return false
    const balance = quotaText(Number(user.quota), display())
    const letter = reminderLetter({ usedUp: level === USED_UP, balance, topUpLink: `${publicAddress(options)}/topup` })
    try {
      await mail.send({ to: user.email, ...letter })
      tries.delete(id)
      return true
    } catch (error) {
      await failed(error, { id, told, level })
      return false
    }
  }

  /** Throws the error again when it is not about this one receiver. */
  async function failed(error: unknown, { id, told, level }: { id: number; told: number; level: number }) {
    const cause = (error as Error).cause as { code?: string } | undefined
    const unconfigured = error instanceof GatewayError && error.code === 'MAIL_UNCONFIGURED'
    const fate = unconfigured ? 'not-sent' : fateOf(cause)
    const personal = cause?.code === 'EENVELOPE' || cause?.code === 'EMESSAGE'
    const count = (tries.get(id) ?? 0) + (personal ? 1 : 0)
    tries.set(id, count)
    const again = fate === 'not-sent' && count < TRIES_MAX
    if (again) await turn(id, level, told, () => {})
    else tries.delete(id)
    if (!personal) throw error
  }

  /** Notes whoever gets no mail, and answers whom one is due. */
  async function notice(look: Look, signal: AbortSignal): Promise<Due[]> {
    const { threshold, moved } = look
    const due: Due[] = []
    for (let after = 0; !signal.aborted; ) {
      const rows: Row[] = await db
        .reader('users')
        .where('id', '>', after)
        .modify(readers)
        .whereRaw(`(quota_notice IS NULL OR quota_notice <> ${LOWNESS})`, [threshold])
        .orderBy('id')
        .limit(PAGE)
        .select('id', 'quota', 'quota_notice')
      const fallen = rows.filter(
        (row): row is Due =>
          row.quota_notice !== null && fell(row.quota_notice, lowness(Number(row.quota), threshold), moved),
      )
      due.push(...fallen)
      const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
      if (fallen.length < rows.length) await note({ first, last }, look)
      if (rows.length < PAGE) break
      after = last
    }
    return due
  }

  return {
    async send(signal) {
      if (options.get(OPTIONS.SMTPServer).trim() === '') return 0
      const threshold = options.get(OPTIONS.QuotaRemindThreshold)
      const moved = (await thresholdThen()) !== String(threshold)
      const due = await notice({ threshold, moved }, signal)
      // Before any mail: one that fails must not keep the threshold looking moved, or who falls then would be noted in silence.
      if (moved && !signal.aborted) await keepThreshold(threshold)
      let reminded = 0
      for (const row of due) {
        if (signal.aborted) break
        if (await remind(row, threshold)) reminded++
      }
      return reminded
    },
  }
}
