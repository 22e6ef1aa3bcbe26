import type { Knex } from 'knex'
import { nameColumns } from '../accounts/lookalikes.ts'
import { type Actor, ROLE, USER_KIND, USER_STATUS } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { countRows } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { requireText } from '../input.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import { lockTeam } from './access.ts'
import { deleteTeamKeys, removeMember } from './leaving.ts'
import { type AccountParts, auditForeign, type TeamParts } from './parts.ts'
import { accountName } from './team.ts'

const NAME_LENGTH_MAX = 30
/** Maximum number of teams per owner. */
const OWNED_MAX = 100
/** Maximum number of attempts to delete a team with a held balance. Idle reserves return after half a second. */
const ATTEMPTS_MAX = 12
const ATTEMPT_WAIT_MS = 250

/** Returns the trimmed name of a team. Throws FIELD_REQUIRED, FIELD_LENGTH or TEAM_NAME if it is invalid. */
export function requireTeamName(value: string): string {
  const name = requireText('name', value, { min: 1, max: NAME_LENGTH_MAX })
  // Allow only characters that are safe in logs, lists, terminals and URLs.
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name) || /^\d+$/.test(name))
    throw new GatewayError('TEAM_NAME', { name })
  return name
}

/** Runs a write that stores a team's name. Throws TEAM_NAME_TAKEN if another team has this name. */
export async function withNameTaken<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (isUniqueViolation(cause)) throw new GatewayError('TEAM_NAME_TAKEN', { name }, { cause })
    throw cause
  }
}

/** Creates a team in `trx` and returns its id. Throws TEAM_NAME_TAKEN, TEAMS_TOO_MANY, USER_NOT_FOUND. */
export async function createTeam(
  trx: Knex.Transaction,
  { now }: Pick<TeamParts, 'now'>,
  { name, ownerId }: { name: string; ownerId: number },
): Promise<number> {
  const owner = await trx('users')
    .where({ id: ownerId, kind: USER_KIND.person })
    .whereNull('deleted_at')
    .forUpdate()
    .first('group')
  if (!owner) throw new GatewayError('USER_NOT_FOUND', { id: ownerId })
  const owned = await countRows(trx('team_members').where({ user_id: ownerId, role: 'owner' }))
  if (owned >= OWNED_MAX) throw new GatewayError('TEAMS_TOO_MANY', { max: OWNED_MAX })
  return withNameTaken(name, async () => {
    const account = {
      ...nameColumns(accountName(name)),
      display_name: name,
      role: ROLE.common,
      group: owner.group,
      kind: USER_KIND.team,
      created_time: now(),
    }
    const [inserted] = await trx('users').insert(account).returning('id')
    const createdAccount = requireRow(inserted)
    await trx('teams').insert({ id: createdAccount.id, name, created_at: now() })
    await trx('team_members').insert({ team_id: createdAccount.id, user_id: ownerId, role: 'owner', joined_at: now() })
    await recordChange(trx, 'user', [createdAccount.id])
    return createdAccount.id
  })
}

/** Deletes a team in the caller's transaction. Throws like `TeamAdministration.delete`, but without waiting. */
export async function deleteTeam(trx: Knex.Transaction, parts: AccountParts, actor: Actor, id: number): Promise<void> {
  const { now } = parts
  // Lock the team and its owner, who gets the balance. All transactions lock accounts in the order of their ids.
  const owner = await trx('team_members').where({ team_id: id, role: 'owner' }).first('user_id')
  const ids = [id, ...(owner ? [Number(owner.user_id)] : [])]
  await trx('users').whereIn('id', ids).orderBy('id').forUpdate().select('id')
  const access = await lockTeam(trx, actor, id, 'owner')
  await returnBalance(trx, parts, actor, access)
  const members: number[] = await trx('team_members').where({ team_id: id }).orderBy('user_id').pluck('user_id')
  for (const userId of members) await removeMember(trx, { teamId: id, userId, now: now() })
  await deleteTeamKeys(trx, { user_id: id }, now())
  await trx('team_invites').where({ team_id: id }).delete()
  await trx('teams').where({ id }).delete()
  // The account stays, because the ledger refers to it. Its name changes, so that a new team can use the old name.
  const account = { status: USER_STATUS.disabled, deleted_at: new Date(now() * 1000).toISOString() }
  await trx('users')
    .where({ id })
    .update({ ...account, ...nameColumns(`${accountName(access.name)}#${id}`) })
  await recordChange(trx, 'user', [id])
  await auditForeign(parts, trx, actor, access, { action: 'team.delete', after: { name: access.name } })
}

/** Runs `work`, which deletes teams. Retries it for up to three seconds while it throws TEAM_BUSY. */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof GatewayError && error.code === 'TEAM_BUSY'
      if (!isBusy || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_WAIT_MS))
    }
  }
}

/** Moves the balance of a team to its owner. Throws TEAM_BUSY, TEAM_DEBT, TEAM_WITHOUT_OWNER, KEY_AMOUNT_EXCEEDED. */
async function returnBalance(
  trx: Knex.Transaction,
  { ledger, logs }: AccountParts,
  actor: Actor,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const account = requireRow(await trx('users').where({ id }).first('quota', 'held_quota'))
  const quota = Number(account.quota)
  if (Number(account.held_quota) > 0 || (await hasOpenWork(trx, id))) throw new GatewayError('TEAM_BUSY', { name })
  if (quota < 0) throw new GatewayError('TEAM_DEBT', { name, quota })
  if (quota === 0) return
  const owner = await trx('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .where('team_members.team_id', id)
    .where('team_members.role', 'owner')
    .first('users.id', 'users.username')
  if (!owner) throw new GatewayError('TEAM_WITHOUT_OWNER', { name })
  // With a management key, only a configuration file can delete a team. The file also decides who is the owner and gets
  // the balance, so the balance counts against the key's amount.
  await spendKeyAmount(trx, actor, quota)
  const pair = `team-${id}-deleted`
  const shared = { kind: 'transfer', actorId: actor.id } as const
  await ledger.credit(trx, { ...shared, userId: id, quota: -quota, reference: `${pair}:from` })
  await ledger.credit(trx, { ...shared, userId: owner.id, quota, reference: `${pair}:to` })
  const event = { type: 'system', userId: owner.id, username: owner.username } as const
  await logs.write(trx, { ...event, text: 'team-deleted', quota, team: name })
}

/** Returns whether the team has unfinished tasks or batches, which may be refunded to the account. */
async function hasOpenWork(trx: Knex.Transaction, id: number): Promise<boolean> {
  for (const table of ['tasks', 'midjourneys']) {
    const open = await trx(table)
      .where({ user_id: id })
      .where('request_id', '<>', '')
      .where('progress', '<>', '100%')
      .first('id')
    if (open) return true
  }
  return (await trx('batches').where({ user_id: id, settled_at: 0 }).first('id')) !== undefined
}
