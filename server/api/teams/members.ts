import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Team, TeamInvite, TeamMember } from '../../../core/teams/schema.ts'
import { GIVEN_ROLES, type GivenRole, TEAM_ROLES, type TeamRole } from '../../../core/teams/team.ts'
import { Done, done, Envelope, ok } from '../envelope.ts'
import { Id, IdParams, Text } from '../fields.ts'
import type { ApiParts } from '../parts.ts'

const Invite = Type.Object({
  role: Type.Optional(
    Type.Unsafe<GivenRole>(
      Type.String({ enum: [...GIVEN_ROLES], description: 'absent: member; only the owner can invite an admin' }),
    ),
  ),
  hours: Type.Optional(Type.Integer({ description: 'hours of validity: 1 to 720, absent: 72' })),
})
const Member = Type.Object({ id: Id, user_id: Id })

export const teamMemberRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { teams } }) => {
  const config = { access: 'user' } as const
  const tags = ['team']
  const members = { 200: Envelope(Type.Array(TeamMember)) }

  const join = {
    tags,
    summary: 'Joins a team by an invitation code',
    body: Type.Object({ code: Text }),
    response: { 200: Envelope(Team) },
  }
  // The rate limit `critical` is unnecessary, because a code of 190 random bits cannot be guessed.
  app.post('/api/team/join', { config, schema: join }, async ({ actor, body }) =>
    ok(await teams.get(actor, await teams.join(actor, body.code))),
  )

  const leave = {
    tags,
    summary: 'Leaves a team; your team keys are deleted',
    params: IdParams,
    response: { 200: Done },
  }
  app.post('/api/team/:id/leave', { config, schema: leave }, async ({ actor, params }) => {
    await teams.leave(actor, params.id)
    return done
  })

  const list = {
    tags,
    summary: 'The members of a team. A caller with the role member sees only itself',
    params: IdParams,
    response: members,
  }
  app.get('/api/team/:id/members', { config, schema: list }, async ({ actor, params }) =>
    ok(await teams.members(actor, params.id)),
  )

  const setRole = {
    tags,
    summary: 'Changes the role of a member; only for the owner. To transfer the ownership, set the role to owner',
    params: Member,
    body: Type.Object({ role: Type.Unsafe<TeamRole>(Type.String({ enum: [...TEAM_ROLES] })) }),
    response: members,
  }
  app.put('/api/team/:id/members/:user_id', { config, schema: setRole }, async ({ actor, params, body: { role } }) => {
    const { id, user_id: userId } = params
    if (role === 'owner') return ok(await teams.setOwner(actor, id, userId))
    return ok(await teams.setRole(actor, id, { userId, role }))
  })

  const remove = {
    tags,
    summary: 'Removes a member and deletes their team keys',
    params: Member,
    response: { 200: Done },
  }
  app.delete('/api/team/:id/members/:user_id', { config, schema: remove }, async ({ actor, params }) => {
    await teams.removeMember(actor, params.id, params.user_id)
    return done
  })

  const invites = {
    tags,
    summary: 'Valid invitations, without their codes',
    params: IdParams,
    response: { 200: Envelope(Type.Array(TeamInvite)) },
  }
  app.get('/api/team/:id/invites', { config, schema: invites }, async ({ actor, params }) =>
    ok(await teams.invites(actor, params.id)),
  )

  const invite = {
    tags,
    summary: 'Creates an invitation for one user; its code is returned once',
    params: IdParams,
    body: Invite,
    response: { 200: Envelope(TeamInvite) },
  }
  app.post('/api/team/:id/invites', { config, schema: invite }, async ({ actor, params, body }) =>
    ok(await teams.invite(actor, params.id, body)),
  )

  const revoke = {
    tags,
    summary: 'Revokes an invitation',
    params: Type.Object({ id: Id, invite_id: Id }),
    response: { 200: Done },
  }
  app.delete('/api/team/:id/invites/:invite_id', { config, schema: revoke }, async ({ actor, params }) => {
    await teams.revokeInvite(actor, params.id, params.invite_id)
    return done
  })
}
