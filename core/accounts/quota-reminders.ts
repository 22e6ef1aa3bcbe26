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
import { mailLanguage } from './mail-language.ts'

/** Balance levels. `users.quota_notice` stores the level of the last notice; it falls when the balance rises. */
const AMPLE = 0
const LOW = 1
const USED_UP = 2

const PAGE = 10_000
/** Key of the row of `meta` that stores the threshold of the last run. */
const THRESHOLD = 'quota-reminder-threshold'
/** Tries for a user whose mails the server temporarily rejects; then the user counts as notified. */
const TRIES_MAX = 5

/** Mails users whose balance became low: once when it falls below QuotaRemindThreshold, once when it is used up. */
export interface QuotaReminders {
  /**
   * Checks all balances once and sends the due mails; does nothing without a mail server. Users who are new, whose balance rose, or
   * who are low only because the threshold changed are recorded without a mail. Returns the number of mails sent. Throws errors of
   * `Mail.send` that concern the server itself; the remaining users are due at the next run.
   */
  send(signal: AbortSignal): Promise<number>
}

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
/** Whether the balance fell to this level. If the threshold moved, LOW is not a fall. */
function hasFallen(notifiedLevel: number, level: number, moved: boolean): boolean {
  return notifiedLevel < level && !(moved && level === LOW)
}
const LOWNESS = `CASE WHEN quota <= 0 THEN ${USED_UP} WHEN quota < ? THEN ${LOW} ELSE ${AMPLE} END`
const RISEN = `(quota_notice IS NULL OR quota_notice > ${LOWNESS})`

/** One run over all balances. `moved`: the threshold has changed since the last run. */
interface ReminderRun {
  readonly threshold: number
  readonly moved: boolean
}
type Due = Row & { quota_notice: number }

/** Limits a query to users who can get mails. */
function readers(query: Knex.QueryBuilder): void {
  query.where({ status: USER_STATUS.enabled }).whereNot({ email: '' }).whereNull('deleted_at')
}

/**
 * The level is stored in the user's row by a conditional UPDATE before the mail is sent, so only one process sends it. A crash may
 * lose a mail but never repeats one. A mail that was certainly not accepted is due again.
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

  /** Records the level of users who get no mail. */
  async function recordSilently(
    { first, last }: { first: number; last: number },
    { threshold, moved }: ReminderRun,
  ): Promise<void> {
    await db.transaction(async (trx) => {
      const silent = trx('users')
        .whereBetween('id', [first, last])
        .modify(readers)
        .whereRaw(moved ? `(${RISEN} OR ${LOWNESS} = ${LOW})` : RISEN, moved ? [threshold, threshold] : [threshold])
        .whereRaw(`(quota_notice IS NULL OR quota_notice <> ${LOWNESS})`, [threshold])
        // Same lock order as the ledger.
        .orderBy('id')
        .forUpdate()
      const quota_notice = trx.raw(LOWNESS, [threshold])
      await trx('users').whereIn('id', silent.select('id')).update({ quota_notice })
    })
  }

  const setLevel = (id: number, from: number, to: number, still: (query: Knex.QueryBuilder) => void) =>
    db.transaction((trx) =>
      trx('users')
        .where({ id, quota_notice: from })
        .modify(still)
        .update({ quota_notice: to })
        .returning(['quota', 'email', 'language']),
    )

  /** Returns whether a mail was sent. */
  async function remind(row: Due, threshold: number): Promise<boolean> {
    const { id, quota_notice: notifiedLevel } = row
    const level = quotaLevel(row.quota, threshold)
    const [user] = await setLevel(id, notifiedLevel, level, (query) =>
      query.whereRaw(`${LOWNESS} = ?`, [threshold, level]),
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

  /** Rethrows errors that do not concern only this receiver. */
  async function handleFailure(
    error: unknown,
    { id, notifiedLevel, level }: { id: number; notifiedLevel: number; level: number },
  ) {
    const cause = (error as Error).cause as { code?: string } | undefined
    const unconfigured = error instanceof GatewayError && error.code === 'MAIL_UNCONFIGURED'
    const fate = unconfigured ? 'not-sent' : fateOf(cause)
    const personal = cause?.code === 'EENVELOPE' || cause?.code === 'EMESSAGE'
    const count = (tries.get(id) ?? 0) + (personal ? 1 : 0)
    tries.set(id, count)
    const again = fate === 'not-sent' && count < TRIES_MAX
    if (again) await setLevel(id, level, notifiedLevel, () => {})
    else tries.delete(id)
    if (!personal) throw error
  }

  /** Records users who get no mail, and returns those who are due one. */
  async function notice(run: ReminderRun, signal: AbortSignal): Promise<Due[]> {
    const { threshold, moved } = run
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
          row.quota_notice !== null && hasFallen(row.quota_notice, quotaLevel(Number(row.quota), threshold), moved),
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
    async send(signal) {
      if (options.get(OPTIONS.SMTPServer).trim() === '') return 0
      const threshold = options.get(OPTIONS.QuotaRemindThreshold)
      const moved = (await thresholdThen()) !== String(threshold)
      const due = await notice({ threshold, moved }, signal)
      // Before the mails: if a mail fails, the threshold must not look moved in the next run, which would skip users who fall then.
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
