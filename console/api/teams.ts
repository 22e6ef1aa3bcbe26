import type { Data, Query, RequestBody } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

export type Team = Data<'GET /api/team/:id'>
export type TeamMember = Data<'GET /api/team/:id/members'>[number]
export type TeamInvite = Data<'GET /api/team/:id/invites'>[number]
export type TeamKey = Data<'GET /api/team/:id/keys'>['items'][number]
export type TeamLog = Data<'GET /api/team/:id/logs'>['items'][number]
type TeamRole = TeamMember['role']

export const TEAM_ROLES = ['owner', 'admin', 'member'] as const
const LIST_MAX = 100

export const listTeams = ({ page, pageSize }: ListPage, signal?: AbortSignal) =>
  call('GET /api/team/', { query: { p: page, page_size: pageSize }, signal })

export const getTeam = (id: number, signal?: AbortSignal) => call('GET /api/team/:id', { path: { id }, signal })

export const createTeam = (body: RequestBody<'POST /api/team/'>) => call('POST /api/team/', { body })

export const joinTeam = (code: string) => call('POST /api/team/join', { body: { code } })

export const renameTeam = (id: number, name: string) => call('PUT /api/team/:id', { path: { id }, body: { name } })

export const deleteTeam = (id: number) => call('DELETE /api/team/:id', { path: { id } })

export const leaveTeam = (id: number) => call('POST /api/team/:id/leave', { path: { id } })

export const transferToTeam = (id: number, quota: number, key: string) =>
  call('POST /api/team/:id/transfer', { path: { id }, body: { quota }, header: { 'idempotency-key': key } })

export const redeemForTeam = (id: number, key: string) =>
  call('POST /api/team/:id/topup', { path: { id }, body: { key } })

export const listMembers = (id: number, signal?: AbortSignal) =>
  call('GET /api/team/:id/members', { path: { id }, signal })

export const setMemberRole = (id: number, userId: number, role: TeamRole) =>
  call('PUT /api/team/:id/members/:user_id', { path: { id, user_id: userId }, body: { role } })

export const removeMember = (id: number, userId: number) =>
  call('DELETE /api/team/:id/members/:user_id', { path: { id, user_id: userId } })

export const listInvites = (id: number, signal?: AbortSignal) =>
  call('GET /api/team/:id/invites', { path: { id }, signal })

export const createInvite = (id: number, body: RequestBody<'POST /api/team/:id/invites'>) =>
  call('POST /api/team/:id/invites', { path: { id }, body })

export const revokeInvite = (id: number, inviteId: number) =>
  call('DELETE /api/team/:id/invites/:invite_id', { path: { id, invite_id: inviteId } })

/** Returns the 100 newest keys that the user may see. */
export const listTeamKeys = (id: number, signal?: AbortSignal) =>
  call('GET /api/team/:id/keys', { path: { id }, query: { page_size: LIST_MAX }, signal })

/** Creates a key without its own budget. Only the team's balance limits the key. */
export const createTeamKey = (id: number, name: string) =>
  call('POST /api/team/:id/keys', { path: { id }, body: { name, unlimited_quota: true } })

export const setTeamKeyStatus = (id: number, tokenId: number, status: number) =>
  call('PUT /api/team/:id/keys/:token_id', { path: { id, token_id: tokenId }, body: { status } })

export const deleteTeamKey = (id: number, tokenId: number) =>
  call('DELETE /api/team/:id/keys/:token_id', { path: { id, token_id: tokenId } })

export const listTeamLogs = (id: number, query: Query<'GET /api/team/:id/logs'>, signal?: AbortSignal) =>
  call('GET /api/team/:id/logs', { path: { id }, query, signal })
