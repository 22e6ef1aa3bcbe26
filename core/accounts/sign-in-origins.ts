import type { Knex } from 'knex'
import { recordNotice } from '../notices/outbox.ts'
import type { Secrets } from '../secrets.ts'

export interface SignInOrigin {
  /** Address to show to users. */
  readonly address: string
  /** Identifies one client: an IPv4 address, or the network of an IPv6 address. */
  readonly network: string
  /** Whether the user has signed in with this browser before. */
  readonly isKnownDevice: boolean
}

/** Seconds after which an unused address counts as new. */
const RETENTION_S = 365 * 24 * 3600

/**
 * Records the origin of a sign-in, in the session's transaction. Writes a notice if device and address are both new.
 * The first sign-in of a user causes no notice, because every origin is new then.
 */
export async function noteSignIn(
  trx: Knex.Transaction,
  { id, username }: { id: number; username: string },
  { address, network, isKnownDevice }: SignInOrigin,
  { secrets, now }: { secrets: Secrets; now: number },
): Promise<void> {
  const row = { user_id: id, origin_hash: secrets.digest(`sign-in ${id} ${network}`), seen_at: now }
  const knownHashes: string[] = await trx('sign_in_origins').where({ user_id: id }).pluck('origin_hash')
  await trx('sign_in_origins').insert(row).onConflict(['user_id', 'origin_hash']).merge(['seen_at'])
  if (knownHashes.length === 0 || isKnownDevice || knownHashes.includes(row.origin_hash)) return
  const data = { user_id: id, username, address }
  await recordNotice(trx, { event: 'sign-in.new', subject: `user:${id}`, userId: id, data, now })
}

/** Deletes addresses that were unused for a year. Returns the number of deleted rows. */
export async function removeOldOrigins(trx: Knex.Transaction, now: number): Promise<number> {
  return trx('sign_in_origins')
    .where('seen_at', '<', now - RETENTION_S)
    .delete()
}
