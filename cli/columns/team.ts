import { USER_STATUS } from '../../core/actor.ts'
import type { Team, TeamInvite, TeamMember } from '../../core/teams/team.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

export const TEAM_COLUMNS: readonly Column<Team>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'my-role', rank: 5, value: ({ role }, { label }) => (role === '' ? '-' : label(role)) },
  { name: 'owner', rank: 6, value: ({ owner }) => owner || '-' },
  { name: 'members', rank: 7, value: ({ members }) => String(members), sort: ({ members }) => members, align: 'right' },
  {
    name: 'status',
    rank: 4,
    value: ({ status }, { label }) => label(labelOf(USER_STATUS, status)),
    tone: ({ status }) => (status === USER_STATUS.enabled ? 'good' : 'bad'),
  },
  {
    name: 'quota-left',
    rank: 3,
    value: (team, { quota }) => quota(team.quota),
    tone: (team) => (team.quota > 0 ? 'money' : 'bad'),
    sort: (team) => team.quota,
    align: 'right',
  },
  {
    name: 'used',
    rank: 8,
    value: ({ used_quota }, { quota }) => quota(used_quota),
    tone: () => 'money',
    sort: ({ used_quota }) => used_quota,
    align: 'right',
  },
  { name: 'requests', rank: 9, value: ({ request_count }) => String(request_count), align: 'right' },
  { name: 'group', value: ({ group }) => group, detail: true },
  { name: 'created', value: ({ created_at }, { moment }) => moment(created_at), detail: true },
]

export const TEAM_MEMBER_COLUMNS: readonly Column<TeamMember>[] = [
  { name: 'id', rank: 4, value: ({ user_id }) => String(user_id), align: 'right' },
  { name: 'username', rank: 1, value: ({ username }) => username },
  { name: 'role', rank: 2, value: ({ role }, { label }) => label(role) },
  {
    name: 'status',
    rank: 5,
    value: ({ status }, { label }) => label(labelOf(USER_STATUS, status)),
    tone: ({ status }) => (status === USER_STATUS.enabled ? 'good' : 'bad'),
  },
  { name: 'keys', rank: 6, value: ({ keys }) => String(keys), sort: ({ keys }) => keys, align: 'right' },
  {
    name: 'used',
    rank: 3,
    value: ({ used_quota }, { quota }) => quota(used_quota),
    tone: () => 'money',
    sort: ({ used_quota }) => used_quota,
    align: 'right',
  },
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
