import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { deleteSome } from '../db/delete-some.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

const HOUR = 3600
/** Maximum number of wrong passwords per hour for one account. */
const FAILURES_MAX = 10
/** Number of failures without a delay, because users mistype. */
const FREE_FAILURES = 2
/** Number of failures at which the owner gets a mail, once an hour. */
const NOTICE_FAILURES = 5
/** Seconds after which an unfinished try is ignored, because its process has probably ended. */
const CHECK_SECONDS = 60
/** Maximum number of times that a try waits for running tries, before it is rejected. */
const WAITS_MAX = 50
const WAIT_MS = 100

/** One try of a password. A try counts from its beginning, so that concurrent tries cannot exceed FAILURES_MAX. */
export interface Guess {
  /** Removes the try from the count. Call this if the password was right, or if the check ended with an error. */
  withdraw(): Promise<void>
  /** Counts the try as a wrong password. Returns whether the owner should get a mail. */
  fail(): Promise<boolean>
}

/** Counts password guesses and reset requests of the last hour, also those for unknown names. */
export type Guesses = ReturnType<typeof createGuesses>

/** Returns the seconds between the last failure and the next try, after a number of failures in the last hour. */
export function delayAfter(failures: number): number {
  return failures <= FREE_FAILURES ? 0 : 2 ** (failures - FREE_FAILURES - 1)
}

export function createGuesses({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }) {
  const hashOf = (subject: string) => secrets.digest(`guess ${subject}`)

  /** Returns the tries of the last hour, oldest first. Locks the subject until the transaction ends. */
  async function lock(trx: Knex.Transaction, subject_hash: string): Promise<{ failed: boolean; created_at: number }[]> {
    await db.serialize(trx, `guess ${subject_hash}`)
    return trx('guesses')
      .where({ subject_hash })
      .where('created_at', '>', now() - HOUR)
      .orderBy(['created_at', 'id'])
      .select('failed', 'created_at')
  }

  async function insert(trx: Knex.Transaction, subject_hash: string, failed = false): Promise<number> {
    const row = { subject_hash, failed, created_at: now() }
    const [inserted] = await trx('guesses').insert(row).returning('id')
    return inserted?.id ?? 0
  }

  const deleteOld = (trx: Knex.Transaction) =>
    deleteSome(trx, 'guesses', { key: ['id'], matching: (rows) => rows.where('created_at', '<=', now() - HOUR) })

  /** Returns the seconds until the next try may begin, or 0 or less if it may begin immediately. */
  function delayOf(failures: { created_at: number }[]): number {
    if (failures.length >= FAILURES_MAX) return Number(failures.at(-FAILURES_MAX)?.created_at) + HOUR - now()
    return Number(failures.at(-1)?.created_at ?? 0) + delayAfter(failures.length) - now()
  }

  /** Inserts a try. Returns its id, or undefined if running tries could reach FAILURES_MAX. Throws GUESSES_LIMITED. */
  const tryToBegin = (subject_hash: string, isProven: boolean): Promise<number | undefined> =>
    db.transaction(async (trx) => {
      await deleteOld(trx)
      const tries = await lock(trx, subject_hash)
      if (isProven) return insert(trx, subject_hash)
      const failures = tries.filter(({ failed }) => failed)
      const seconds = delayOf(failures)
      if (seconds > 0) throw limitError(seconds)
      const running = tries.filter(({ failed, created_at }) => !failed && created_at > now() - CHECK_SECONDS)
      return failures.length + running.length < FAILURES_MAX ? insert(trx, subject_hash) : undefined
    })

  const limitError = (seconds: number) => new GatewayError('GUESSES_LIMITED', { seconds, retryAfterSeconds: seconds })

  /** Begins a try. If it could exceed FAILURES_MAX, waits for others, because many right tries may arrive at once. */
  async function waitAndBegin(subject_hash: string, isProven: boolean): Promise<number> {
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      const id = await tryToBegin(subject_hash, isProven)
      if (id !== undefined) return id
      await sleep(WAIT_MS)
    }
    throw limitError(1)
  }

  return {
    /**
     * Begins a try. After the third failure, the next try must wait 1 second, then 2, 4 and so on. After FAILURES_MAX
     * failures, it must wait until the first of them is an hour old. `isProven` lifts both limits, because the client
     * solved a bot check for this try. Throws GUESSES_LIMITED.
     */
    async begin(subject: string, { isProven = false }: { isProven?: boolean } = {}): Promise<Guess> {
      const subject_hash = hashOf(subject)
      const id = await waitAndBegin(subject_hash, isProven)
      return {
        async withdraw() {
          await db.transaction((trx) => trx('guesses').where({ id }).delete())
        },
        fail: () =>
          db.transaction(async (trx) => {
            const tries = await lock(trx, subject_hash)
            await trx('guesses').where({ id }).update({ failed: true })
            if (tries.filter(({ failed }) => failed).length + 1 < NOTICE_FAILURES) return false
            const noticeHash = hashOf(`notice ${subject}`)
            if ((await lock(trx, noticeHash)).length > 0) return false
            await insert(trx, noticeHash)
            return true
          }),
      }
    },

    /** Counts one request for each subject, unless a subject has reached its hourly limit. Throws RESET_LIMITED. */
    countRequests: (subjects: readonly { subject: string; max: number }[]): Promise<void> =>
      db.transaction(async (trx) => {
        await deleteOld(trx)
        // Lock the subjects in a fixed order, so that two requests cannot deadlock.
        const limits = subjects
          .map(({ subject, max }) => ({ subject_hash: hashOf(subject), max }))
          .sort((a, b) => (a.subject_hash < b.subject_hash ? -1 : 1))
        for (const { subject_hash, max } of limits) {
          const requests = await lock(trx, subject_hash)
          const seconds = Number(requests.at(-max)?.created_at) + HOUR - now()
          if (requests.length >= max) throw new GatewayError('RESET_LIMITED', { seconds, retryAfterSeconds: seconds })
        }
        for (const { subject_hash } of limits) await insert(trx, subject_hash)
      }),
  }
}
