import type { Knex } from 'knex'
import { groupNameOf } from '../accounts/fields.ts'
import { nameColumns } from '../accounts/lookalikes.ts'
import { type Actor, ROLE, USER_STATUS } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { whereContains } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { requireGroup } from '../groups/groups.ts'
import { oneOf, type Page, type Paging } from '../input.ts'
import { lockTeam, requireAccess, whereVisible } from './access.ts'
import { createTeam, deleteTeam, requireTeamName, retryWhileBusy, withNameTaken } from './lifecycle.ts'
import { auditForeign, type TeamParts } from './parts.ts'
import type { TeamRole } from './team.ts'
import { accountName, type Team } from './team.ts'

interface TeamChanges {
  name?: string
  /** Only for administrators of the gateway who may manage the owner. The same applies to `status`. */
  group?: string
  status?: number
}

interface TeamQuery extends Paging {
  /** A substring of the name, or the id. */
  keyword?: string
  /** Only teams of the actor. By default, administrators of the gateway get all that they may manage. */
  own?: boolean
}

/** Operations on teams. If the actor has no rights in a team, operations on this team throw TEAM_NOT_FOUND. */
export type TeamAdministration = ReturnType<typeof createTeamAdministration>

const COLUMNS = [
  'teams.id',
  'teams.name',
  'teams.created_at',
  'users.status',
  'users.group',
  'users.quota',
  'users.used_quota',
  'users.request_count',
] as const

type Row = Omit<Team, 'role' | 'owner' | 'owner_id' | 'members'>

export function createTeamAdministration(parts: TeamParts) {
  const { db, options, follower } = parts

  const joined = (connection: Knex = db.reader) => connection('teams').join('users', 'users.id', 'teams.id')

  async function toTeams(actor: Actor, rows: readonly Row[]): Promise<Team[]> {
    const ids = rows.map(({ id }) => id)
    const [ownRoles, owners, counts] = await Promise.all([
      db
        .reader('team_members')
        .whereIn('team_id', ids)
        .where({ user_id: actor.id })
        .select<{ team_id: number; role: TeamRole }[]>('team_id', 'role'),
      db
        .reader('team_members')
        .join('users', 'users.id', 'team_members.user_id')
        .whereIn('team_id', ids)
        .where('team_members.role', 'owner')
        .select('team_id', 'users.id', 'users.username'),
      db
        .reader('team_members')
        .whereIn('team_id', ids)
        .groupBy('team_id')
        .select<{ team_id: number; total: number | string }[]>('team_id', db.reader.raw('count(*) AS total')),
    ])
    return rows.map((row) => {
      const owner = owners.find(({ team_id }) => team_id === row.id)
      return {
        ...row,
        quota: Number(row.quota),
        used_quota: Number(row.used_quota),
        created_at: Number(row.created_at),
        role: ownRoles.find(({ team_id }) => team_id === row.id)?.role ?? '',
        owner_id: owner?.id ?? 0,
        owner: owner?.username ?? '',
        members: Number(counts.find(({ team_id }) => team_id === row.id)?.total ?? 0),
      }
    })
  }

  async function get(actor: Actor, id: number): Promise<Team> {
    await requireAccess(db.reader, actor, id)
    const [team] = await toTeams(
      actor,
      await joined()
        .where('teams.id', id)
        .select(...COLUMNS),
    )
    if (!team) throw new GatewayError('TEAM_NOT_FOUND', { id })
    return team
  }

  return {
    /** Creates a team and makes the actor its owner. Throws TEAM_NAME, TEAM_NAME_TAKEN, TEAMS_TOO_MANY, FIELD_*. */
    async create(actor: Actor, input: { name: string }): Promise<Team> {
      const name = requireTeamName(input.name)
      const id = await db.transaction((trx) => createTeam(trx, parts, { name, ownerId: actor.id }))
      await follower.catchUp()
      return get(actor, id)
    },

    get,

    /** Returns the team with this exact name. */
    async getByName(actor: Actor, name: string): Promise<Team> {
      const row = await db.reader('teams').where({ name }).first('id')
      if (!row) throw new GatewayError('TEAM_NOT_FOUND', { id: name })
      try {
        return await get(actor, row.id)
      } catch (error) {
        // Put the name into the error instead of the id. Otherwise users who are not members would learn the id.
        if (error instanceof GatewayError && error.code === 'TEAM_NOT_FOUND') {
          throw new GatewayError('TEAM_NOT_FOUND', { id: name })
        }
        throw error
      }
    },

    /** Returns teams, newest first. */
    async list(actor: Actor, query: TeamQuery = {}): Promise<Page<Team>> {
      const { keyword = '', own = actor.role < ROLE.admin } = query
      const matching = joined().modify((where) => {
        whereVisible(where, db.reader, actor, { own })
        if (!keyword) return
        where.where((either) => {
          either.orWhere((one) => whereContains(one, 'teams.name', keyword))
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('teams.id', Number(keyword))
        })
      })
      const order = NEWEST_FIRST.map((each) => ({ ...each, column: 'teams.id' }))
      const page = await readPage<Row>(matching, query, { columns: COLUMNS, order })
      return { ...page, items: await toTeams(actor, page.items) }
    },

    /**
     * Changes a team and returns it. Its owner and admins may change the name. Administrators of the gateway who may
     * manage the owner may also change the group and the status.
     *
     * Throws TEAM_ROLE, TEAM_NAME, TEAM_NAME_TAKEN, PERMISSION_DENIED, GROUP_NOT_FOUND, FIELD_*.
     */
    async update(actor: Actor, id: number, { name: requestedName, group, status }: TeamChanges): Promise<Team> {
      const name = requestedName === undefined ? undefined : requireTeamName(requestedName)
      const account = {
        ...(group !== undefined && { group: requireGroup(options, groupNameOf(group)) }),
        ...(status !== undefined && {
          status: oneOf('status', status, [USER_STATUS.enabled, USER_STATUS.disabled]),
        }),
        ...(name !== undefined && { ...nameColumns(accountName(name)), display_name: name }),
      }
      await withNameTaken(name ?? '', () =>
        db.transaction(async (trx) => {
          const access = await lockTeam(trx, actor, id, 'admin')
          if ((group !== undefined || status !== undefined) && !access.isManager) {
            throw new GatewayError('PERMISSION_DENIED')
          }
          if (Object.keys(account).length === 0) return
          if (name !== undefined) await trx('teams').where({ id }).update({ name })
          await trx('users').where({ id }).update(account)
          await recordChange(trx, 'user', [id])
          const after = { ...(name !== undefined && { name }), ...(group && { group }), ...(status && { status }) }
          // Only administrators of the gateway change group and status. Audit this even if the actor is a member of the
          // team.
          const audited = group !== undefined || status !== undefined ? { ...access, ownRole: undefined } : access
          await auditForeign(parts, trx, actor, audited, { action: 'team.update', after })
        }),
      )
      await follower.catchUp()
      return get(actor, id)
    },

    /**
     * Deletes a team with its keys and members, and returns it. Only the owner may do this, and gets the balance. Log
     * rows and ledger entries stay.
     *
     * Throws TEAM_ROLE, TEAM_DEBT and TEAM_WITHOUT_OWNER. Throws TEAM_BUSY while requests, tasks or batches run.
     */
    async delete(actor: Actor, id: number): Promise<Team> {
      await requireAccess(db.reader, actor, id, 'owner')
      const team = await get(actor, id)
      await retryWhileBusy(() => db.transaction((trx) => deleteTeam(trx, parts, actor, id)))
      await follower.catchUp()
      return team
    },
  }
}
