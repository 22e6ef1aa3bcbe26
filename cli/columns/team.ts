import { USER_STATUS } from '../../core/actor.ts'
import type { Team, TeamInvite, TeamMember } from '../../core/teams/team.ts'
import type { Column } from '../output/column.ts'
import { BALANCE_COLUMN, USED_COLUMN } from './quota.ts'
import { statusColumn } from './status.ts'

const STATUS_COLUMN = statusColumn(USER_STATUS, { [USER_STATUS.enabled]: 'good' })

export const TEAM_COLUMNS: readonly Column<Team>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'my-role', rank: 5, value: ({ role }, { label }) => (role === '' ? '-' : label(role)) },
  { name: 'owner', rank: 6, value: ({ owner }) => owner || '-' },
  { name: 'members', rank: 7, value: ({ members }) => String(members), sort: ({ members }) => members, align: 'right' },
  { ...STATUS_COLUMN, rank: 4 },
  { ...BALANCE_COLUMN, rank: 3 },
  { ...USED_COLUMN, rank: 8 },
  { name: 'requests', rank: 9, value: ({ request_count }) => String(request_count), align: 'right' },
  { name: 'group', value: ({ group }) => group, detail: true },
  { name: 'created', value: ({ created_at }, { moment }) => moment(created_at), detail: true },
]

export const TEAM_MEMBER_COLUMNS: readonly Column<TeamMember>[] = [
  { name: 'id', rank: 4, value: ({ user_id }) => String(user_id), align: 'right' },
  { name: 'username', rank: 1, value: ({ username }) => username },
  { name: 'role', rank: 2, value: ({ role }, { label }) => label(role) },
  { ...STATUS_COLUMN, rank: 5 },
  { name: 'keys', rank: 6, value: ({ keys }) => String(keys), sort: ({ keys }) => keys, align: 'right' },
  { ...USED_COLUMN, rank: 3 },
  {
    name: 'joined',
    rank: 7,
    value: ({ joined_at }, { moment }) => moment(joined_at),
    sort: ({ joined_at }) => joined_at,
  },
]

export const TEAM_INVITE_COLUMNS: readonly Column<TeamInvite>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'role', rank: 2, value: ({ role }, { label }) => label(role) },
  { name: 'created-by', rank: 4, value: ({ created_by }) => String(created_by), align: 'right' },
  { name: 'created', rank: 5, value: ({ created_at }, { moment }) => moment(created_at) },
  { name: 'expires', rank: 3, value: ({ expires_at }, { moment }) => moment(expires_at) },
]
