import type { Body, Data } from './calls.ts'
import { call, callForMessage } from './client.ts'
import type { ListPage } from './list-page.ts'

/** The signed-in user, with all that the account has. */
export type User = Data<'GET /api/user/self'>

export const logout = () => call('GET /api/user/logout')

export const USER_STATUS = { enabled: 1, disabled: 2, blocked: 3 } as const

export type UserAction = 'promote' | 'demote' | 'disable' | 'enable' | 'delete'

interface UserQuery extends ListPage {
  keyword: string
  group: string
}

/** All users, newest first, deleted ones among them. */
export async function listUsers({ page, pageSize, keyword, group }: UserQuery, signal?: AbortSignal) {
  const paging = { p: page, page_size: pageSize }
  if (keyword === '' && group === '') return call('GET /api/user/', { query: paging, signal })
  // An absent filter finds all; an empty one would find what is empty.
  const filters = { keyword: keyword || undefined, group: group || undefined }
  return call('GET /api/user/search', { query: { ...paging, ...filters }, signal })
}

export const getUser = (id: number, signal?: AbortSignal) => call('GET /api/user/:id', { path: { id }, signal })

export const createUser = (body: Body<'POST /api/user/'>) => call('POST /api/user/', { body })

export const updateUser = (body: Body<'PUT /api/user/'>) => call('PUT /api/user/', { body })

/** Answers a record of which status and role alone are filled. */
export const manageUser = (id: number, action: UserAction) => call('POST /api/user/manage', { body: { id, action } })

/** Adds to a balance, or takes from it, whatever is spent meanwhile; once for each key. */
export const adjustQuota = (id: number, by: number, idempotencyKey: string) =>
  call('POST /api/user/:id/quota', { path: { id }, header: { 'idempotency-key': idempotencyKey }, body: { by } })

export const listGroups = (signal: AbortSignal) => call('GET /api/group/', { signal })

export const getSelf = (signal: AbortSignal) => call('GET /api/user/self', { signal })

export const updateSelf = (body: Body<'PUT /api/user/self'>) => call('PUT /api/user/self', { body })

/** For ten minutes this session may change credentials then. */
export const confirmPassword = (password: string) => call('POST /api/user/self/confirm', { body: { password } })

export const deleteSelf = () => call('DELETE /api/user/self')

/** Makes a new one; the one before is void from then on. */
export const createAccessToken = () => call('GET /api/user/token')

export const getInviteCode = (signal: AbortSignal) => call('GET /api/user/aff', { signal })

/** Answers what to say about it. Done once for each key. */
export const transferEarnings = (quota: number, idempotencyKey: string) =>
  callForMessage('POST /api/user/aff_transfer', { header: { 'idempotency-key': idempotencyKey }, body: { quota } })

export const bindEmail = (query: { email: string; code: string }) => call('GET /api/oauth/email/bind', { query })
