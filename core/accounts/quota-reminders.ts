import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { errorCode, errorProperty } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import { type QuotaDisplay, quotaText } from '../logs/texts.ts'
import { mailOutcomeOf } from '../mail/failure.ts'
import { reminderLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'
import { mailLanguage } from './emails.ts'

/**
 * Balance levels. `users.quota_notice` stores the level at the last check, or NULL before the first check. If a mail
 * is due again, the column gets its earlier value.
 */
const AMPLE = 0
const LOW = 1
const USED_UP = 2

const PAGE = 10_000
/** Key of the row of `meta` that stores the threshold of the last run. */
const THRESHOLD = 'quota-reminder-threshold'
/** Maximum number of tries if the server temporarily rejects a user's mails. Then the user counts as notified. */
const TRIES_MAX = 5

interface Row {
  id: number
  quota: number
  quota_notice: number | null
}

/** Returns the level of a balance for the operator's threshold. */
export function quotaLevel(quota: number, threshold: number): number {
  if (quota <= 0) return USED_UP
  return quota < threshold ? LOW : AMPLE
}
/** Returns whether the balance fell to this level. For LOW, a changed threshold may be the only cause. */
function hasFallen(notifiedLevel: number, level: number, thresholdChanged: boolean): boolean {
  return notifiedLevel < level && !(thresholdChanged && level === LOW)
}
const LEVEL_SQL = `CASE WHEN quota <= 0 THEN ${USED_UP} WHEN quota < ? THEN ${LOW} ELSE ${AMPLE} END`
const NEW_OR_RISEN_SQL = `(quota_notice IS NULL OR quota_notice > ${LEVEL_SQL})`

/** One run over all balances. `thresholdChanged` means that the threshold differs from that of the last run. */
interface ReminderRun {
  readonly threshold: number
  readonly thresholdChanged: boolean
}
type Due = Row & { quota_notice: number }

/** Limits a query to users who can get mails. */
function whereReachable(query: Knex.QueryBuilder): void {
  query.where({ status: USER_STATUS.enabled }).whereNot({ email: '' }).whereNull('deleted_at')
}

/**
 * Mails users whose balance became low: once when it falls below QuotaRemindThreshold, and once when it is used up.
 *
 * A conditional UPDATE stores the level in the user's row before the mail is sent, so only one process sends the mail.
 * A crash may lose a mail but never repeats one. If the mail server certainly did not accept a mail, the mail is due
 * again.
 */
export function createQuotaReminders(parts: {
  db: Database
  options: Options
  mail: Mail
  display: () => QuotaDisplay
}) {
  const { db, options, mail, display } = parts
  const tries = new Map<number, number>()

  async function readThreshold(): Promise<string | undefined> {
    return (await db.reader('meta').where({ key: THRESHOLD }).first('value'))?.value
  }

  async function storeThreshold(threshold: number): Promise<void> {
    const row = { key: THRESHOLD, value: String(threshold) }
    await db.transaction((trx) => trx('meta').insert(row).onConflict('key').merge())
  }

  /** Records the level of users who get no mail. */
  async function recordSilently(
    { first, last }: { first: number; last: number },
    { threshold, thresholdChanged }: ReminderRun,
  ): Promise<void> {
    await db.transaction(async (trx) => {
      const silent = trx('users')
        .whereBetween('id', [first, last])
        .modify(whereReachable)
        .whereRaw(
          thresholdChanged ? `(${NEW_OR_RISEN_SQL} OR ${LEVEL_SQL} = ${LOW})` : NEW_OR_RISEN_SQL,
          thresholdChanged ? [threshold, threshold] : [threshold],
        )
        .whereRaw(`(quota_notice IS NULL OR quota_notice <> ${LEVEL_SQL})`, [threshold])
        // Lock in the same order as the ledger.
        .orderBy('id')
        .forUpdate()
      const quota_notice = trx.raw(LEVEL_SQL, [threshold])
      await trx('users').whereIn('id', silent.select('id')).update({ quota_notice })
    })
  }

  const setLevel = (id: number, from: number, to: number, condition: (query: Knex.QueryBuilder) => void) =>
    db.transaction((trx) =>
      trx('users')
        .where({ id, quota_notice: from })
        .modify(condition)
        .update({ quota_notice: to })
        .returning(['quota', 'email', 'language']),
    )

  /** Returns whether a mail was sent. */
  async function remind(row: Due, threshold: number): Promise<boolean> {
    const { id, quota_notice: notifiedLevel } = row
    const level = quotaLevel(row.quota, threshold)
    const [user] = await setLevel(id, notifiedLevel, level, (query) =>
      query.whereRaw(`${LEVEL_SQL} = ?`, [threshold, level]),
    )
    if (!user) return false
    const language = mailLanguage(user.language)
    const balance = quotaText(Number(user.quota), display(), language)
    const topUpLink = `${publicAddress(options)}/topup`
    const letter = reminderLetter({ usedUp: level === USED_UP, balance, topUpLink, language })
    try {
      await mail.send({ to: user.email, ...letter })
      tries.delete(id)
      return true
    } catch (error) {
      await handleFailure(error, { id, notifiedLevel, level })
      return false
    }
  }

  /** Makes a mail due again if it was not sent and tries are left. Rethrows errors that concern all receivers. */
  async function handleFailure(
    error: unknown,
    { id, notifiedLevel, level }: { id: number; notifiedLevel: number; level: number },
  ) {
    const cause = errorProperty(error, 'cause')
    const isUnconfigured = error instanceof GatewayError && error.code === 'MAIL_UNCONFIGURED'
    const fate = isUnconfigured ? 'not-sent' : mailOutcomeOf(cause)
    const isPersonal = ['EENVELOPE', 'EMESSAGE'].includes(errorCode(cause))
    const count = (tries.get(id) ?? 0) + (isPersonal ? 1 : 0)
    tries.set(id, count)
    const isDueAgain = fate === 'not-sent' && count < TRIES_MAX
    if (isDueAgain) await setLevel(id, level, notifiedLevel, () => {})
    else tries.delete(id)
    if (!isPersonal) throw error
  }

  /** Records users who get no mail, and returns the users to mail. */
  async function collectDue(run: ReminderRun, signal: AbortSignal): Promise<Due[]> {
    const { threshold, thresholdChanged } = run
    const due: Due[] = []
    for (let after = 0; !signal.aborted; ) {
      const rows: Row[] = await db
        .reader('users')
        .where('id', '>', after)
        .modify(whereReachable)
        .whereRaw(`(quota_notice IS NULL OR quota_notice <> ${LEVEL_SQL})`, [threshold])
        .orderBy('id')
        .limit(PAGE)
        .select('id', 'quota', 'quota_notice')
      const fallen = rows.filter(
        (row): row is Due =>
          row.quota_notice !== null &&
          hasFallen(row.quota_notice, quotaLevel(Number(row.quota), threshold), thresholdChanged),
      )
      due.push(...fallen)
      const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
      if (fallen.length < rows.length) await recordSilently({ first, last }, run)
      if (rows.length < PAGE) break
      after = last
    }
    return due
  }

  return {
    /**
     * Checks all balances once and sends the due mails. Does nothing without a mail server. Sends no mail to new users
     * or to users whose balance rose. If the threshold changed since the last run, users at level LOW get no mail
     * either. Returns the number of mails sent. Throws errors of `Mail.send` that concern more than one receiver; the
     * remaining users are due at the next run.
     */
    async send(signal: AbortSignal): Promise<number> {
      if (options.get(OPTIONS.SMTPServer).trim() === '') return 0
      const threshold = options.get(OPTIONS.QuotaRemindThreshold)
      const thresholdChanged = (await readThreshold()) !== String(threshold)
      const due = await collectDue({ threshold, thresholdChanged }, signal)
      // Store the threshold before sending mails, because a failed mail may end this run. Otherwise the next run would
      // see the same change again, and would send no mails for the level LOW.
      if (thresholdChanged && !signal.aborted) await storeThreshold(threshold)
      let reminded = 0
      for (const row of due) {
        if (signal.aborted) break
        if (await remind(row, threshold)) reminded++
      }
      return reminded
    },
  }
}
