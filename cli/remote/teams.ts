import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteTeams(client: Client): CommandToolkit['teams'] {
  return {
    list: (_actor, { page, pageSize, keyword, own } = {}) =>
      client.read('GET /api/team/', { query: { p: page, page_size: pageSize, keyword, own } }),
    get: (_actor, id) => client.read('GET /api/team/:id', { path: { id } }),
    getByName: (_actor, name) => client.read('GET /api/team/by-name', { query: { name } }),
    create: (_actor, body) => client.read('POST /api/team/', { body }),
    update: (_actor, id, changes) => client.read('PUT /api/team/:id', { path: { id }, body: changes }),
    delete: (_actor, id) => client.read('DELETE /api/team/:id', { path: { id } }),
    members: (_actor, id) => client.read('GET /api/team/:id/members', { path: { id } }),
    setRole: (_actor, id, { userId, role }) =>
      client.read('PUT /api/team/:id/members/:user_id', { path: { id, user_id: userId }, body: { role } }),
    setOwner: (_actor, id, userId) =>
      client.read('PUT /api/team/:id/members/:user_id', { path: { id, user_id: userId }, body: { role: 'owner' } }),
    async removeMember(_actor, id, userId) {
      await client.call('DELETE /api/team/:id/members/:user_id', { path: { id, user_id: userId } })
    },
    invites: (_actor, id) => client.read('GET /api/team/:id/invites', { path: { id } }),
    invite: (_actor, id, invite = {}) => client.read('POST /api/team/:id/invites', { path: { id }, body: invite }),
    async revokeInvite(_actor, id, inviteId) {
      await client.call('DELETE /api/team/:id/invites/:invite_id', { path: { id, invite_id: inviteId } })
    },
    async join(_actor, code) {
      return (await client.read('POST /api/team/join', { body: { code } })).id
    },
    async leave(_actor, id) {
      await client.call('POST /api/team/:id/leave', { path: { id } })
    },
    async transfer(_actor, id, quota, idempotency) {
      await client.read('POST /api/team/:id/transfer', { path: { id }, body: { quota }, idempotency })
    },
    redeem: (_actor, id, key) => client.read('POST /api/team/:id/topup', { path: { id }, body: { key } }),
    async setQuota(_actor, id, quota) {
      await client.call('PUT /api/team/:id/quota', { path: { id }, body: { quota } })
    },
    ...remoteKeysAndUsage(client),
  }
}

function remoteKeysAndUsage(client: Client): Pick<CommandToolkit['teams'], 'keys' | 'usage'> {
  return {
    keys: {
      list: (_actor, id, { page, pageSize, keyword } = {}) =>
        client.read('GET /api/team/:id/keys', { path: { id }, query: { p: page, page_size: pageSize, keyword } }),
      get: (_actor, id, tokenId) =>
        client.read('GET /api/team/:id/keys/:token_id', { path: { id, token_id: tokenId } }),
      create: (_actor, id, token) => client.read('POST /api/team/:id/keys', { path: { id }, body: token }),
      setStatus: (_actor, id, tokenId, status) =>
        client.read('PUT /api/team/:id/keys/:token_id', { path: { id, token_id: tokenId }, body: { status } }),
      async delete(_actor, id, tokenId) {
        await client.call('DELETE /api/team/:id/keys/:token_id', { path: { id, token_id: tokenId } })
      },
    },
    usage: {
      logs: (_actor, id, { page, pageSize, memberId, ...filter } = {}) =>
        client.read('GET /api/team/:id/logs', {
          path: { id },
          query: { ...filter, p: page, page_size: pageSize, member_id: memberId },
        }),
      request: (_actor, id, requestId) =>
        client.read('GET /api/team/:id/logs/request/:request_id', { path: { id, request_id: requestId } }),
      async dashboard(_actor, id, { start, end, lastHours, by, metric, memberId }) {
        const range = start === undefined ? { last_hours: lastHours } : { start_timestamp: start }
        const query = { ...range, end_timestamp: end, by, metric, member_id: memberId }
        const data = await client.read('GET /api/team/:id/dashboard', { path: { id }, query })
        return { version: '', data }
      },
    },
  }
}
