import { type Static, Type } from 'typebox'
import { TEAM_ROLES, type TeamRole } from './team.ts'

const roleOf = (roles: readonly TeamRole[], description: string) =>
  Type.Unsafe<TeamRole>(Type.String({ enum: [...roles], description }))

/** A team, as the management API returns it. */
export const Team = Type.Object(
  {
    id: Type.Integer({ description: 'also the id of its account, the user_id of its log rows and entries' }),
    name: Type.String(),
    role: Type.Unsafe<TeamRole | ''>(
      Type.String({ enum: [...TEAM_ROLES, ''], description: "the caller's role; empty: not a member" }),
    ),
    owner_id: Type.Integer({ description: '0: the owner was deleted' }),
    owner: Type.String({ description: 'user name' }),
    members: Type.Integer(),
    status: Type.Integer({ description: '1 enabled, 2 disabled: its keys are rejected' }),
    group: Type.String(),
    quota: Type.Integer({ description: 'the balance' }),
    used_quota: Type.Integer(),
    request_count: Type.Integer(),
    created_at: Type.Integer(),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

export const TeamMember = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    role: roleOf(TEAM_ROLES, 'owner, admin or member'),
    status: Type.Integer({ description: 'of the user: 1 enabled, 2 disabled' }),
    keys: Type.Integer({ description: 'team keys of the member' }),
    used_quota: Type.Integer({ description: 'usage of these keys and of deleted keys of the member' }),
    joined_at: Type.Integer(),
  },
  { title: 'TeamMember' },
)
export type TeamMember = Static<typeof TeamMember>

export const TeamInvite = Type.Object(
  {
    id: Type.Integer(),
    role: roleOf(['admin', 'member'], 'the role of the user who joins with the invite'),
    created_by: Type.Integer({ description: 'id of a user' }),
    created_at: Type.Integer(),
    expires_at: Type.Integer({ description: 'unix seconds' }),
    used_by: Type.Integer({ description: 'id of a user; 0: unused' }),
    used_at: Type.Integer({ description: 'unix seconds; 0: unused' }),
    code: Type.Optional(Type.String({ description: 'only in the reply to the creation of the invite' })),
  },
  { title: 'TeamInvite' },
)
export type TeamInvite = Static<typeof TeamInvite>
