import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { BALANCE_MAX } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import type { Language } from '../messages/language.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { randomAlphanumerics } from '../secrets.ts'
import { takeReward } from './invite-sources.ts'
import { nameColumns } from './lookalikes.ts'

const INVITE_CODE_LENGTH = 4
/** Number of tries with a code of 4 characters. Later codes are longer, because only 14 million short ones exist. */
const INVITE_CODE_TRIES = 5
/** Maximum number of tries. Codes of 8 characters practically never collide, so more failures have another cause. */
const TRIES_MAX = 20

/** A new row of `users`. `password` is a hash, empty for users who sign in through a provider. */
interface NewUserRow {
  username: string
  display_name: string
  password: string
  role: number
  group: string
  email?: string
  language?: Language
  github_id?: string
  wechat_id?: string
  telegram_id?: string
  linux_do_id?: string
  oidc_id?: string
}

export interface NewUserParts {
  ledger: Ledger
  logs: Logs
  options: Options
  now: () => number
}

/**
 * Inserts a user with an invite code in the caller's transaction, and pays the grants for new users and invitations.
 * Returns the id. A taken name, mail address or identity violates a unique index. An unknown `inviteCode` is ignored.
 * With the option InviteRewardOnce, each of the `sources` (`sourcesOf`) earns rewards once. Throws BALANCE_TOO_LARGE
 * if the inviter's earnings would exceed BALANCE_MAX.
 */
export async function insertUser(
  trx: Knex.Transaction,
  { ledger, logs, options, now }: NewUserParts,
  {
    row,
    actorId,
    quota,
    inviteCode = '',
    sources = [],
  }: { row: NewUserRow; actorId: number; quota: number; inviteCode?: string; sources?: readonly string[] },
): Promise<number> {
  const inviter = inviteCode
    ? await trx('users').where({ aff_code: inviteCode }).whereNull('deleted_at').first('id', 'username')
    : undefined
  const id = await insertWithInviteCode(trx, {
    ...row,
    ...nameColumns(row.username),
    inviter_id: inviter?.id ?? 0,
    created_time: now(),
  })
  await recordChange(trx, 'user', [id])
  const { username } = row
  if (quota > 0) {
    await ledger.credit(trx, { userId: id, kind: 'grant', quota, actorId, reference: `user-${id}` })
    await logs.write(trx, { type: 'system', userId: id, username, text: 'new-user-grant', quota })
  }
  if (!inviter) return id
  const [forInvitee, forInviter] = [options.get(OPTIONS.QuotaForInvitee), options.get(OPTIONS.QuotaForInviter)]
  if (forInvitee <= 0 && forInviter <= 0) return id
  const isRewardOnce = options.get(OPTIONS.InviteRewardOnce)
  if (isRewardOnce && !(await takeReward(trx, sources, now()))) return id
  if (forInvitee > 0) {
    await ledger.credit(trx, { userId: id, kind: 'invite', quota: forInvitee, reference: `invitee-${id}` })
    await logs.write(trx, { type: 'system', userId: id, username, text: 'invitee-grant', quota: forInvitee })
  }
  if (forInviter > 0) {
    const updatedRows = await trx('users')
      .where({ id: inviter.id })
      .where('aff_history', '<=', BALANCE_MAX - forInviter)
      .update({
        aff_count: trx.raw('aff_count + 1'),
        aff_quota: trx.raw('aff_quota + ?', [forInviter]),
        aff_history: trx.raw('aff_history + ?', [forInviter]),
      })
    if (updatedRows === 0) throw new GatewayError('BALANCE_TOO_LARGE', { max: BALANCE_MAX })
    const event = { type: 'system', userId: inviter.id, username: inviter.username } as const
    await logs.write(trx, { ...event, text: 'inviter-grant', quota: forInviter })
  }
  return id
}

/** Inserts a row, and retries with another invite code if the code is taken. */
async function insertWithInviteCode(trx: Knex.Transaction, row: object): Promise<number> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const [created] = await trx('users')
      .insert({ ...row, aff_code: newInviteCode(attempt) })
      .onConflict('aff_code')
      .ignore()
      .returning('id')
    if (created) return created.id
  }
  throw new Error(`No free invite code after ${TRIES_MAX} tries`)
}

/** Returns a random invite code, longer after a few collisions. */
export function newInviteCode(attempt: number): string {
  return randomAlphanumerics(attempt < INVITE_CODE_TRIES ? INVITE_CODE_LENGTH : 2 * INVITE_CODE_LENGTH)
}
