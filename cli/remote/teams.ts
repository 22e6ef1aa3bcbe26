import type { Log } from '../../core/logs/log.ts'
import type { RequestTrace } from '../../core/logs/trace-schema.ts'
import type { Dashboard } from '../../core/logs/usage/schema.ts'
import type { Team, TeamInvite, TeamMember } from '../../core/teams/team.ts'
import type { Token } from '../../core/tokens/token.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, isNumber, listOf, pageOf } from './guards.ts'

export function remoteTeams(client: Client): CommandToolkit['teams'] {
  const team = hasFields<Team>('id', 'name')
  const members = listOf<TeamMember>('user_id', 'role')
  const memberPath = '/api/team/:id/members/:user_id'
  return {
    list: (_actor, { page, pageSize, keyword, own } = {}) =>
      client.read(pageOf<Team>('id'), 'GET', '/api/team/', { query: { p: page, page_size: pageSize, keyword, own } }),
    get: (_actor, id) => client.read(team, 'GET', '/api/team/:id', { params: { id } }),
    getByName: (_actor, name) => client.read(team, 'GET', '/api/team/by-name', { query: { name } }),
    create: (_actor, body) => client.read(team, 'POST', '/api/team/', { body }),
    update: (_actor, id, changes) =>
      client.read(team, 'PUT', '/api/team/:id', { params: { id }, body: { ...changes } }),
    delete: (_actor, id) => client.read(team, 'DELETE', '/api/team/:id', { params: { id } }),
    members: (_actor, id) => client.read(members, 'GET', '/api/team/:id/members', { params: { id } }),
    setRole: (_actor, id, { userId, role }) =>
      client.read(members, 'PUT', memberPath, { params: { id, user_id: userId }, body: { role } }),
    setOwner: (_actor, id, userId) =>
      client.read(members, 'PUT', memberPath, { params: { id, user_id: userId }, body: { role: 'owner' } }),
    async removeMember(_actor, id, userId) {
      await client.call('DELETE', memberPath, { params: { id, user_id: userId } })
    },
    invites: (_actor, id) =>
      client.read(listOf<TeamInvite>('id', 'role'), 'GET', '/api/team/:id/invites', { params: { id } }),
    invite: (_actor, id, invite = {}) =>
      client.read(hasFields<TeamInvite>('id', 'code'), 'POST', '/api/team/:id/invites', {
        params: { id },
        body: { ...invite },
      }),
    async revokeInvite(_actor, id, inviteId) {
      await client.call('DELETE', '/api/team/:id/invites/:invite_id', { params: { id, invite_id: inviteId } })
    },
    async join(_actor, code) {
      return (await client.read(team, 'POST', '/api/team/join', { body: { code } })).id
    },
    async leave(_actor, id) {
      await client.call('POST', '/api/team/:id/leave', { params: { id } })
    },
    async transfer(_actor, id, quota, idempotency) {
      await client.read(team, 'POST', '/api/team/:id/transfer', { params: { id }, body: { quota }, idempotency })
    },
    redeem: (_actor, id, key) =>
      client.read(isNumber, 'POST', '/api/team/:id/topup', { params: { id }, body: { key } }),
    async setQuota(_actor, id, quota) {
      await client.call('PUT', '/api/team/:id/quota', { params: { id }, body: { quota } })
    },
    ...remoteKeysAndUsage(client),
  }
}

function remoteKeysAndUsage(client: Client): Pick<CommandToolkit['teams'], 'keys' | 'usage'> {
  const key = hasFields<Token>('id', 'key')
  const keyPath = '/api/team/:id/keys/:token_id'
  return {
    keys: {
      list: (_actor, id, { page, pageSize, keyword } = {}) =>
        client.read(pageOf<Token>('id'), 'GET', '/api/team/:id/keys', {
          params: { id },
          query: { p: page, page_size: pageSize, keyword },
        }),
      get: (_actor, id, tokenId) => client.read(key, 'GET', keyPath, { params: { id, token_id: tokenId } }),
      create: (_actor, id, token) =>
        client.read(key, 'POST', '/api/team/:id/keys', { params: { id }, body: { ...token } }),
      setStatus: (_actor, id, tokenId, status) =>
        client.read(key, 'PUT', keyPath, { params: { id, token_id: tokenId }, body: { status } }),
      async delete(_actor, id, tokenId) {
        await client.call('DELETE', keyPath, { params: { id, token_id: tokenId } })
      },
    },
    usage: {
      logs: (_actor, id, { page, pageSize, memberId, ...filter } = {}) =>
        client.read(pageOf<Log>('id'), 'GET', '/api/team/:id/logs', {
          params: { id },
          query: { ...filter, p: page, page_size: pageSize, member_id: memberId },
        }),
      request: (_actor, id, requestId) =>
        client.read(hasFields<RequestTrace>('request_id'), 'GET', '/api/team/:id/logs/request/:request_id', {
          params: { id, request_id: requestId },
        }),
      async dashboard(_actor, id, { start, end, lastHours, by, metric, memberId }) {
        const range = start === undefined ? { last_hours: lastHours } : { start_timestamp: start }
        const query = { ...range, end_timestamp: end, by, metric, member_id: memberId }
        const dashboard = hasFields<Dashboard>('totals', 'groups', 'series')
        const data = await client.read(dashboard, 'GET', '/api/team/:id/dashboard', { params: { id }, query })
        return { version: '', data }
      },
    },
  }
}
