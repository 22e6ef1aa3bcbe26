import { USER_STATUS } from '../../core/actor.ts'
import type { Team, TeamInvite, TeamMember } from '../../core/teams/team.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

export const TEAM_COLUMNS: readonly Column<Team>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { title: 'my role', rank: 5, value: ({ role }, { text }) => (role === '' ? '-' : text(role)) },
  { title: 'owner', rank: 6, value: ({ owner }) => owner || '-' },
  {
    title: 'members',
    rank: 7,
    value: ({ members }) => String(members),
    sort: ({ members }) => members,
    align: 'right',
  },
  {
    title: 'status',
    rank: 4,
    value: ({ status }, { text }) => text(labelOf(USER_STATUS, status)),
    tone: ({ status }) => (status === USER_STATUS.enabled ? 'good' : 'bad'),
  },
  {
    title: 'quota left',
    rank: 3,
    value: (team, { quota }) => quota(team.quota),
    tone: (team) => (team.quota > 0 ? 'money' : 'bad'),
    sort: (team) => team.quota,
    align: 'right',
  },
  {
    title: 'used',
    rank: 8,
    value: ({ used_quota }, { quota }) => quota(used_quota),
    tone: () => 'money',
    sort: ({ used_quota }) => used_quota,
    align: 'right',
  },
  { title: 'requests', rank: 9, value: ({ request_count }) => String(request_count), align: 'right' },
  { title: 'group', value: ({ group }) => group, detail: true },
  { title: 'created', value: ({ created_at }, { moment }) => moment(created_at), detail: true },
]

export const TEAM_MEMBER_COLUMNS: readonly Column<TeamMember>[] = [
  { title: 'id', rank: 4, value: ({ user_id }) => String(user_id), align: 'right' },
  { title: 'username', rank: 1, value: ({ username }) => username },
  { title: 'role', rank: 2, value: ({ role }, { text }) => text(role) },
  {
    title: 'status',
    rank: 5,
    value: ({ status }, { text }) => text(labelOf(USER_STATUS, status)),
    tone: ({ status }) => (status === USER_STATUS.enabled ? 'good' : 'bad'),
  },
  { title: 'keys', rank: 6, value: ({ keys }) => String(keys), sort: ({ keys }) => keys, align: 'right' },
  {
    title: 'used',
    rank: 3,
    value: ({ used_quota }, { quota }) => quota(used_quota),
    tone: () => 'money',
    sort: ({ used_quota }) => used_quota,
    align: 'right',
  },
  {
    title: 'joined',
    rank: 7,
    value: ({ joined_at }, { moment }) => moment(joined_at),
    sort: ({ joined_at }) => joined_at,
  },
]

export const TEAM_INVITE_COLUMNS: readonly Column<TeamInvite>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'role', rank: 2, value: ({ role }, { text }) => text(role) },
  { title: 'created by', rank: 4, value: ({ created_by }) => String(created_by), align: 'right' },
  { title: 'created', rank: 5, value: ({ created_at }, { moment }) => moment(created_at) },
  { title: 'expires', rank: 3, value: ({ expires_at }, { moment }) => moment(expires_at) },
]
