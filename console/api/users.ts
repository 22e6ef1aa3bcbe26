import { useQuery } from '@tanstack/react-query'
import type { Data, RequestBody } from './calls.ts'
import { call, callForMessage } from './client.ts'
import { type ListPage, type ListSort, sortQuery } from './list-page.ts'

/** The signed-in user, with all account fields. */
export type User = Data<'GET /api/user/self'>

export const postLogout = () => call('GET /api/user/logout')

export const USER_STATUS = { enabled: 1, disabled: 2, blocked: 3 } as const

export type UserAction = 'promote' | 'demote' | 'disable' | 'enable' | 'delete'

const SORTS = [
  'id',
  'username',
  'group',
  'quota',
  'used_quota',
  'request_count',
  'aff_count',
  'role',
  'status',
] as const

interface UserQuery extends ListPage, ListSort {
  keyword: string
  group: string
}

/** Lists users, including deleted users. The default order is newest first. */
export async function listUsers({ page, pageSize, keyword, group, ...sort }: UserQuery, signal?: AbortSignal) {
  const paging = { p: page, page_size: pageSize, ...sortQuery(SORTS, sort) }
  if (keyword === '' && group === '') return call('GET /api/user/', { query: paging, signal })
  // Without a filter, all users match. An empty filter would match only users with an empty value.
  const filters = { keyword: keyword || undefined, group: group || undefined }
  return call('GET /api/user/search', { query: { ...paging, ...filters }, signal })
}

export const getUser = (id: number, signal?: AbortSignal) => call('GET /api/user/:id', { path: { id }, signal })

export const createUser = (body: RequestBody<'POST /api/user/'>) => call('POST /api/user/', { body })

export const updateUser = (body: RequestBody<'PUT /api/user/'>) => call('PUT /api/user/', { body })

/** Runs an action on a user. The returned record has only status and role. */
export const manageUser = (id: number, action: UserAction) => call('POST /api/user/manage', { body: { id, action } })

/** Adds `by` to a balance; a negative `by` subtracts. Concurrent charges are kept. Runs once per idempotency key. */
export const adjustQuota = (id: number, by: number, idempotencyKey: string) =>
  call('POST /api/user/:id/quota', { path: { id }, header: { 'idempotency-key': idempotencyKey }, body: { by } })

/** Loads the names of all groups. */
export const useGroupNames = () =>
  useQuery({ queryKey: ['group', 'names'], queryFn: ({ signal }) => call('GET /api/group/', { signal }) })

/** Loads the signed-in user. */
export const useSelf = (options: { enabled?: boolean; refetchOnWindowFocus?: boolean } = {}) =>
  useQuery({ queryKey: ['user', 'self'], queryFn: ({ signal }) => call('GET /api/user/self', { signal }), ...options })

export const updateSelf = (body: RequestBody<'PUT /api/user/self'>) => call('PUT /api/user/self', { body })

/** Allows this session to change credentials for ten minutes. */
export const confirmPassword = (password: string) => call('POST /api/user/self/confirm', { body: { password } })

export const deleteSelf = () => call('DELETE /api/user/self')

/** Creates a new access token and revokes the previous one. */
export const createAccessToken = () => call('GET /api/user/token')

export const getInviteCode = (signal: AbortSignal) => call('GET /api/user/aff', { signal })

/** Transfers invitation earnings to the balance. Returns the message for the user. Runs once per idempotency key. */
export const transferEarnings = (quota: number, idempotencyKey: string) =>
  callForMessage('POST /api/user/aff_transfer', { header: { 'idempotency-key': idempotencyKey }, body: { quota } })

export const bindEmail = (query: { email: string; code: string }) => call('GET /api/oauth/email/bind', { query })
