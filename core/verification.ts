import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { deleteSome } from './db/delete-some.ts'
import { GatewayError } from './errors.ts'
import { randomHex, type Secrets, sameSecret } from './secrets.ts'

export const CODE_MINUTES = 10
/** Minimum time between two codes for the same purpose and address. */
const COOLDOWN_SECONDS = 30
/**
 * After this many wrong attempts, a code for `email` is void, because its six characters could be guessed. A code for
 * `reset` stays valid, because its 128 bits cannot be guessed. Otherwise wrong codes could void a user's link.
 */
const WRONG_ATTEMPTS_MAX = 5

/** The purpose of a code: `email` proves the ownership of an address, `reset` resets the password. */
type Purpose = 'email' | 'reset'

/** Manages single-use codes that are sent to mail addresses. The case of the address does not matter. */
export type VerificationCodes = ReturnType<typeof createVerification>

export function createVerification(parts: { db: Database; secrets: Secrets; now: () => number }) {
  const { db, secrets, now } = parts
  const keyOf = (purpose: Purpose, address: string) => ({
    purpose,
    subject_hash: secrets.digest(`verification ${purpose} ${address.toLowerCase()}`),
  })

  return {
    /** Creates a code of `length` lower-case hex digits and voids the previous code. Throws MAIL_COOLDOWN {seconds}. */
    issue(purpose: Purpose, address: string, length: number): Promise<string> {
      const key = keyOf(purpose, address)
      const code = randomHex(length)
      return db.transaction(async (trx) => {
        await deleteSome(trx, 'verifications', {
          key: ['purpose', 'subject_hash'],
          matching: (rows) => rows.where('expires_at', '<', now()),
        })
        const newCode = {
          code_hash: secrets.digest(code),
          attempts: 0,
          created_at: now(),
          expires_at: now() + CODE_MINUTES * 60,
        }
        // The INSERT checks the cooldown. If two requests run at the same time, only one gets a code.
        const stored = await trx('verifications')
          .insert({ ...key, ...newCode })
          .onConflict(['purpose', 'subject_hash'])
          .merge(newCode)
          .where('verifications.created_at', '<=', now() - COOLDOWN_SECONDS)
          .returning('purpose')
        if (stored.length > 0) return code
        const row = await trx('verifications').where(key).first('created_at')
        // The row is missing if the code was used meanwhile. The cooldown of its mail still applies.
        const sentAt = row?.created_at ?? now()
        throw new GatewayError('MAIL_COOLDOWN', { seconds: sentAt + COOLDOWN_SECONDS - now() })
      })
    },

    /** Deletes a code that could not be sent, so that the user can request another one at once. */
    async withdraw(purpose: Purpose, address: string, code: string): Promise<void> {
      const row = { ...keyOf(purpose, address), code_hash: secrets.digest(code) }
      await db.transaction((trx) => trx('verifications').where(row).delete())
    },

    /**
     * Checks and deletes a code, in the transaction of the operation that it permits. Returns false if the code is
     * wrong, expired, used or void. If two calls run at the same time, only one returns true.
     *
     * The caller must also commit after false, so that the wrong attempt is counted.
     */
    async take(trx: Knex.Transaction, purpose: Purpose, address: string, code: string): Promise<boolean> {
      const key = keyOf(purpose, address)
      const row = await trx('verifications')
        .where(key)
        .where('expires_at', '>', now())
        .forUpdate()
        .first('code_hash', 'attempts')
      if (!row || (purpose === 'email' && row.attempts >= WRONG_ATTEMPTS_MAX)) return false
      if (!sameSecret(row.code_hash, secrets.digest(code))) {
        await trx('verifications').where(key).increment('attempts', 1)
        return false
      }
      const used = { ...key, code_hash: row.code_hash }
      return (await trx('verifications').where(used).delete()) > 0
    },
  }
}
