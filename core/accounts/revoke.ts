import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { removeLimitsOfSubjects } from '../limits/remove.ts'
import { endSessions } from '../sessions.ts'

/**
 * Ends all sessions of a user, and voids the access token and the management keys. With `keys`, also deletes the API
 * keys. Runs in the caller's transaction, which must have locked the user's row and must audit the change.
 */
export async function revokeCredentials(
  trx: Knex.Transaction,
  { userId, now, keys = false }: { userId: number; now: number; keys?: boolean | undefined },
): Promise<void> {
  await endSessions(trx, userId)
  await trx('users').where({ id: userId }).update({ access_token: null, access_token_hash: null })
  await trx('management_keys').where({ user_id: userId, revoked_at: 0 }).update({ revoked_at: now })
  if (keys) await deleteKeys(trx, { userId, now })
}

/** Deletes all API keys of a user, including team keys that the user created. Relays then reject these keys. */
async function deleteKeys(trx: Knex.Transaction, { userId, now }: { userId: number; now: number }): Promise<void> {
  const keys = trx('tokens')
    .where((own) => own.where({ user_id: userId }).orWhere({ member_id: userId }))
    .whereNull('deleted_at')
  const ids: number[] = await keys.clone().orderBy('id').forUpdate().pluck('id')
  await keys.update({ deleted_at: new Date(now * 1000).toISOString() })
  await removeLimitsOfSubjects(trx, 'token', ids)
  await recordChange(trx, 'token', ids)
}
