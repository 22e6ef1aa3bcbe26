import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { type Idempotency, wasExecuted } from '../idempotency.ts'
import { QUOTA_MAX, requireQuota, requireWholeNumber } from '../input.ts'
import { randomAlphanumerics } from '../secrets.ts'
import { lockTeam, requireAccess } from './access.ts'
import { auditForeign, type TeamParts } from './parts.ts'
import { accountName } from './team.ts'

const OPERATION_LENGTH = 12

/** Changes balances of teams, other than by relays. Throws TEAM_NOT_FOUND if the actor has no rights in the team. */
export function createTeamMoney(parts: TeamParts) {
  const { db, ledger, logs, redemption, follower, now } = parts
  return {
    /**
     * Moves quota from the actor's balance to the team's, with two entries in one transaction. Calls with the same
     * idempotency key move the quota once. Only for owner and admins.
     *
     * Throws TEAM_ROLE, BALANCE_TOO_LARGE, FIELD_RANGE, IDEMPOTENCY_KEY_*. Throws TEAM_FUNDS if the actor's free quota
     * is too small.
     */
    async transfer(actor: Actor, id: number, amount: number, idempotency?: Idempotency): Promise<void> {
      const quota = requireWholeNumber('quota', amount, { min: 1, max: QUOTA_MAX })
      await db.transaction(async (trx) => {
        // All transactions lock accounts in the order of their ids.
        await trx('users').whereIn('id', [id, actor.id]).orderBy('id').forUpdate().select('id')
        const { name } = await requireAccess(trx, actor, id, 'admin')
        const request = { change: 'team-transfer', team: id, quota }
        if (await wasExecuted(trx, { actor, request, now: now() }, idempotency)) return
        const giver = await trx('users')
          .where({ id: actor.id, kind: USER_KIND.person })
          .whereNull('deleted_at')
          .first('username', 'quota', 'held_quota')
        if (!giver) throw new GatewayError('USER_NOT_FOUND', { id: actor.id })
        // Held quota is not available, because running requests may need it.
        const available = Number(giver.quota) - Number(giver.held_quota)
        if (available < quota)
          throw new GatewayError('TEAM_FUNDS', { needed: quota, available: Math.max(0, available) })
        const pair = `team-${id}-${randomAlphanumerics(OPERATION_LENGTH)}`
        const shared = { kind: 'transfer', actorId: actor.id } as const
        await ledger.credit(trx, { ...shared, userId: actor.id, quota: -quota, reference: `${pair}:from` })
        await ledger.credit(trx, { ...shared, userId: id, quota, reference: `${pair}:to` })
        const { username } = giver
        const event = { type: 'system', quota } as const
        await logs.write(trx, { ...event, text: 'team-given', team: name, userId: actor.id, username })
        const account = { userId: id, username: accountName(name) }
        await logs.write(trx, { ...event, text: 'team-received', user: username, ...account })
        await recordChange(trx, 'user', [id, actor.id])
      })
      await follower.catchUp()
    },

    /**
     * Credits a redemption code to the team's balance. Returns the quota. Only for owner and admins. Throws TEAM_ROLE,
     * and the errors of `Redemptions.redeem`.
     */
    async redeem(actor: Actor, id: number, code: string): Promise<number> {
      await requireAccess(db.reader, actor, id, 'admin')
      return redemption.redeem(actor, code, { accountId: id })
    },

    /** Sets the balance. Only for administrators of the gateway. Throws PERMISSION_DENIED, FIELD_RANGE. */
    async setQuota(actor: Actor, id: number, value: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      const quota = requireQuota('quota', value)
      await db.transaction(async (trx) => {
        const access = await lockTeam(trx, actor, id)
        // Only root may set the balance of a team in which the actor is a member, or whose owner has the actor's role.
        // The same rule applies to users.
        const isOwn = access.ownRole !== undefined && actor.role < ROLE.root
        if (!access.isManager || isOwn) throw new GatewayError('PERMISSION_DENIED')
        const account = requireRow(await trx('users').where({ id }).first('quota'))
        const before = Number(account.quota)
        if (before === quota) return
        await ledger.credit(trx, { userId: id, kind: 'edit', quota: quota - before, actorId: actor.id })
        const event = { type: 'admin', userId: id, username: accountName(access.name) } as const
        await logs.write(trx, { ...event, text: 'quota-edit', quota, before })
        await recordChange(trx, 'user', [id])
        // Always audit, even if the actor is a member, because the actor changes the balance as an administrator.
        const asForeign = { ...access, ownRole: undefined }
        await auditForeign(parts, trx, actor, asForeign, { action: 'team.quota', after: { quota, before } })
      })
      await follower.catchUp()
    },
  }
}
