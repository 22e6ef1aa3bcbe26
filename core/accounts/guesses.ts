import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { deleteSome } from '../db/delete-some.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

const HOUR = 3600
/** Wrong passwords within an hour, for one account. */
export const FAILURES_MAX = 10
/** So many failures have no delay: people mistype. */
const FREE_FAILURES = 2
/** The owner gets a mail at so many, once an hour. */
const NOTICE_FAILURES = 5
/** A try that has run for so long belongs to a process that is gone. */
const CHECK_SECONDS = 60
/** How often a try waits for others that are still being checked, before it is rejected. */
const TURNS_MAX = 50
const TURN_MS = 100

/** One try to sign in, counted from its beginning: tries that run at the same time cannot exceed the limit together. */
export interface Guess {
  /** The password was right: the try does not count. */
  withdraw(): Promise<void>
  /** The password was wrong. Returns whether the account's owner should get a mail. */
  fail(): Promise<boolean>
}

/** Counts tries to guess passwords, and requests for reset links, of the last hour. Rows are deleted after an hour, unknown names included. */
export interface Guesses {
  /**
   * Begins a try. From the third failure on, the next try must wait: 1 second, 2, 4 and so on; after FAILURES_MAX failures within
   * an hour until the hour is over. `isProven`: a bot check was solved for this try, which lifts both. Throws GUESSES_LIMITED.
   */
  begin(subject: string, options?: { isProven?: boolean }): Promise<Guess>
  /** Counts one request for each subject, unless one of them has reached its limit for the hour. Throws RESET_LIMITED. */
  spend(subjects: readonly { subject: string; max: number }[]): Promise<void>
}

/** Seconds until the next try after so many failures. */
export function delayAfter(failures: number): number {
  return failures <= FREE_FAILURES ? 0 : 2 ** (failures - FREE_FAILURES - 1)
}

export function createGuesses({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }): Guesses {
  const hashOf = (subject: string) => secrets.digest(`guess ${subject}`)

  /** The tries of the last hour, oldest first. Nothing else decides about this subject until the transaction ends. */
  async function lock(trx: Knex.Transaction, subject_hash: string): Promise<{ failed: boolean; created_at: number }[]> {
    await db.alone(trx, `guess ${subject_hash}`)
    return trx('guesses')
      .where({ subject_hash })
      .where('created_at', '>', now() - HOUR)
      .orderBy(['created_at', 'id'])
      .select('failed', 'created_at')
  }

  async function insert(trx: Knex.Transaction, subject_hash: string, failed = false): Promise<number> {
    const row = { subject_hash, failed, created_at: now() }
    const [inserted] = (await trx('guesses').insert(row).returning('id')) as { id: number }[]
    return inserted?.id ?? 0
  }

  const deleteOld = (trx: Knex.Transaction) =>
    deleteSome(trx, 'guesses', { key: ['id'], matching: (rows) => rows.where('created_at', '<=', now() - HOUR) })

  /** Seconds until the next try may begin after those. */
  function delayOf(failures: { created_at: number }[]): number {
    if (failures.length >= FAILURES_MAX) return Number(failures.at(-FAILURES_MAX)?.created_at) + HOUR - now()
    return Number(failures.at(-1)?.created_at ?? 0) + delayAfter(failures.length) - now()
  }

  /** Returns the id of the try, or undefined while so many others are being checked that they could reach the limit. Throws GUESSES_LIMITED. */
  const enter = (subject_hash: string, isProven: boolean): Promise<number | undefined> =>
    db.transaction(async (trx) => {
      await deleteOld(trx)
      const tries = await lock(trx, subject_hash)
      if (isProven) return insert(trx, subject_hash)
      const failures = tries.filter(({ failed }) => failed)
      const seconds = delayOf(failures)
      if (seconds > 0) throw limited(seconds)
      const running = tries.filter(({ failed, created_at }) => !failed && created_at > now() - CHECK_SECONDS)
      return failures.length + running.length < FAILURES_MAX ? insert(trx, subject_hash) : undefined
    })

  const limited = (seconds: number) => new GatewayError('GUESSES_LIMITED', { seconds, retryAfterSeconds: seconds })

  /** Many sign-ins with the right password may come at once: those above the limit wait until the others turn out to be right. */
  async function enterInTurn(subject_hash: string, isProven: boolean): Promise<number> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const id = await enter(subject_hash, isProven)
      if (id !== undefined) return id
      await sleep(TURN_MS)
    }
    throw limited(1)
  }

  return {
    async begin(subject, { isProven = false } = {}) {
      const subject_hash = hashOf(subject)
      const id = await enterInTurn(subject_hash, isProven)
      return {
        async withdraw() {
          await db.transaction((trx) => trx('guesses').where({ id }).delete())
        },
        fail: () =>
          db.transaction(async (trx) => {
            const tries = await lock(trx, subject_hash)
            await trx('guesses').where({ id }).update({ failed: true })
            if (tries.filter(({ failed }) => failed).length + 1 < NOTICE_FAILURES) return false
            const notice = hashOf(`notice ${subject}`)
            if ((await lock(trx, notice)).length > 0) return false
            await insert(trx, notice)
            return true
          }),
      }
    },

    spend: (subjects) =>
      db.transaction(async (trx) => {
        await deleteOld(trx)
        // In one order: two requests must not wait for each other.
        const limits = subjects
          .map(({ subject, max }) => ({ subject_hash: hashOf(subject), max }))
          .sort((a, b) => (a.subject_hash < b.subject_hash ? -1 : 1))
        for (const { subject_hash, max } of limits) {
          const seen = await lock(trx, subject_hash)
          const seconds = Number(seen.at(-max)?.created_at) + HOUR - now()
          if (seen.length >= max) throw new GatewayError('RESET_LIMITED', { seconds, retryAfterSeconds: seconds })
        }
        for (const { subject_hash } of limits) await insert(trx, subject_hash)
      }),
  }
}
