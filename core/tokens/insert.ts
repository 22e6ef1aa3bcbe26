import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { requireRow } from '../db/require-row.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'
import type { checkToken } from './checks.ts'
import { KEY_LENGTH } from './token.ts'

/** Inserts a token with a new key in the caller's transaction. Returns the id, and the key without `sk-`. */
export async function insertToken(
  trx: Knex.Transaction,
  { secrets, now }: { secrets: Secrets; now: () => number },
  { ownerId, memberId, row }: { ownerId: number; memberId?: number | undefined; row: ReturnType<typeof checkToken> },
): Promise<{ id: number; key: string }> {
  const key = randomAlphanumerics(KEY_LENGTH)
  const stored = {
    ...row,
    granted_quota: row.remain_quota,
    user_id: ownerId,
    ...(memberId !== undefined && { member_id: memberId }),
    key: secrets.seal(key),
    key_hash: secrets.digest(key),
    created_time: now(),
    accessed_time: now(),
  }
  const [inserted] = await trx('tokens').insert(stored).returning('id')
  const { id } = requireRow(inserted)
  await recordChange(trx, 'token', [id])
  return { id, key }
}
