import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Team, TeamInvite, TeamMember } from '../../../core/teams/schema.ts'
import { GIVEN_ROLES, type GivenRole, TEAM_ROLES, type TeamRole } from '../../../core/teams/team.ts'
import { Done, done, Envelope, ok } from '../envelope.ts'
import { Id, IdParams, Text } from '../fields.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'

const Invite = Type.Object({
  role: Type.Optional(
    Type.Unsafe<GivenRole>(
      Type.String({
        enum: [...GIVEN_ROLES],
        description:
          'default: member; only the owner, or an administrator of the gateway who may manage the owner, can invite an admin',
      }),
    ),
  ),
  hours: Type.Optional(Type.Integer({ description: 'hours of validity: 1 to 720, absent: 72' })),
})
const Member = Type.Object({ id: Id, user_id: Id })

export const teamMemberRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { teams } }) => {
  const user = describeRoutes('team', 'user')
  const members = Envelope(Type.Array(TeamMember))

  const join = user('Joins a team by an invite code', { body: Type.Object({ code: Text }), reply: Envelope(Team) })
  // The rate limit `critical` is unnecessary, because a code of 190 random bits cannot be guessed.
  app.post('/api/team/join', join, async ({ actor, body }) =>
    ok(await teams.get(actor, await teams.join(actor, body.code))),
  )

  const leave = user('Leaves a team; your team keys are deleted', { params: IdParams, reply: Done })
  app.post('/api/team/:id/leave', leave, async ({ actor, params }) => {
    await teams.leave(actor, params.id)
    return done
  })

  const list = user(
    'The members of a team. Owner, admins and managing administrators get all members; a caller with the role `member` gets only their own entry',
    {
      params: IdParams,
      reply: members,
    },
  )
  app.get('/api/team/:id/members', list, async ({ actor, params }) => ok(await teams.members(actor, params.id)))

  const setRole = user(
    'Changes the role of a member; only for the owner, or an administrator of the gateway who may manage the owner. To transfer the ownership, set the role to owner',
    {
      params: Member,
      body: Type.Object({ role: Type.Unsafe<TeamRole>(Type.String({ enum: [...TEAM_ROLES] })) }),
      reply: members,
    },
  )
  app.put('/api/team/:id/members/:user_id', setRole, async ({ actor, params, body: { role } }) => {
    const { id, user_id: userId } = params
    if (role === 'owner') return ok(await teams.setOwner(actor, id, userId))
    return ok(await teams.setRole(actor, id, { userId, role }))
  })

  const remove = user('Removes a member and deletes their team keys', { params: Member, reply: Done })
  app.delete('/api/team/:id/members/:user_id', remove, async ({ actor, params }) => {
    await teams.removeMember(actor, params.id, params.user_id)
    return done
  })

  const invites = user('Valid invites, without their codes', {
    params: IdParams,
    reply: Envelope(Type.Array(TeamInvite)),
  })
  app.get('/api/team/:id/invites', invites, async ({ actor, params }) => ok(await teams.invites(actor, params.id)))

  const invite = user('Creates an invite that one user can use. Only this reply contains the code', {
    params: IdParams,
    body: Invite,
    reply: Envelope(TeamInvite),
  })
  app.post('/api/team/:id/invites', invite, async ({ actor, params, body }) =>
    ok(await teams.invite(actor, params.id, body)),
  )

  const revoke = user('Deletes an unused invite', { params: Type.Object({ id: Id, invite_id: Id }), reply: Done })
  app.delete('/api/team/:id/invites/:invite_id', revoke, async ({ actor, params }) => {
    await teams.revokeInvite(actor, params.id, params.invite_id)
    return done
  })
}
