import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { deleteSome } from './db/delete-some.ts'
import { GatewayError } from './errors.ts'
import { randomHex, type Secrets, sameSecret } from './secrets.ts'

/** Lifetime of a code. */
export const CODE_MINUTES = 10
/** Minimum time between two codes for the same purpose and address. */
const COOLDOWN_SECONDS = 30
/**
 * A mail code is void after this many wrong tries, because its six characters could be guessed. The 128 bits of a reset link
 * cannot be guessed, so wrong tries do not void it: otherwise anyone could void it.
 */
const WRONG_TRIES_MAX = 5

/** Purpose of a code: to prove ownership of an address, or to reset the password. */
export type Purpose = 'email' | 'reset'

/** Manages single-use codes that are sent to an address. The case of the address does not matter. */
export interface Verification {
  /** Creates a code of `length` lower-case hex characters, and voids the previous code. Throws MAIL_COOLDOWN {seconds}. */
  issue(purpose: Purpose, address: string, length: number): Promise<string>
  /** Deletes a code that could not be sent, so that the next try need not wait. */
  withdraw(purpose: Purpose, address: string, code: string): Promise<void>
  /**
   * Checks and consumes a code, in the transaction that acts on it. Returns false if the code is wrong, expired, used or void.
   * Only one of two concurrent calls gets true. After false, the caller must still commit, so that the wrong try is counted.
   */
  take(trx: Knex.Transaction, purpose: Purpose, address: string, code: string): Promise<boolean>
}

export function createVerification({
  db,
  secrets,
  now,
}: {
  db: Database
  secrets: Secrets
  now: () => number
}): Verification {
  const keyOf = (purpose: Purpose, address: string) => ({
    purpose,
    subject_hash: secrets.digest(`verification ${purpose} ${address.toLowerCase()}`),
  })

  return {
    issue(purpose, address, length) {
      const key = keyOf(purpose, address)
      const code = randomHex(length)
      return db.transaction(async (trx) => {
        await deleteSome(trx, 'verifications', {
          key: ['purpose', 'subject_hash'],
          matching: (rows) => rows.where('expires_at', '<', now()),
        })
        const fresh = {
          code_hash: secrets.digest(code),
          attempts: 0,
          created_at: now(),
          expires_at: now() + CODE_MINUTES * 60,
        }
        // The INSERT checks the cooldown, so only one of two concurrent requests gets a code.
        const stored = await trx('verifications')
          .insert({ ...key, ...fresh })
          .onConflict(['purpose', 'subject_hash'])
          .merge(fresh)
          .where('verifications.created_at', '<=', now() - COOLDOWN_SECONDS)
          .returning('purpose')
        if (stored.length > 0) return code
        const row = await trx('verifications').where(key).first('created_at')
        // If the code was consumed meanwhile, the row is missing. The cooldown of its mail still applies.
        const sentAt = row?.created_at ?? now()
        throw new GatewayError('MAIL_COOLDOWN', { seconds: sentAt + COOLDOWN_SECONDS - now() })
      })
    },

    async withdraw(purpose, address, code) {
      const row = { ...keyOf(purpose, address), code_hash: secrets.digest(code) }
      await db.transaction((trx) => trx('verifications').where(row).delete())
    },

    async take(trx, purpose, address, code) {
      const key = keyOf(purpose, address)
      const row = await trx('verifications')
        .where(key)
        .where('expires_at', '>', now())
        .forUpdate()
        .first('code_hash', 'attempts')
      if (!row || (purpose === 'email' && row.attempts >= WRONG_TRIES_MAX)) return false
      if (!sameSecret(row.code_hash, secrets.digest(code))) {
        await trx('verifications').where(key).increment('attempts', 1)
        return false
      }
      return (
        (await trx('verifications')
          .where({ ...key, code_hash: row.code_hash })
          .delete()) > 0
      )
    },
  }
}
