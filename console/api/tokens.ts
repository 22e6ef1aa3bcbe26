import type { Data, RequestBody } from './calls.ts'
import { call } from './client.ts'
import { type ListPage, type ListSort, sortQuery } from './list-page.ts'

/** An API key of the user. `key` is the complete key without its prefix `sk-`. */
export type Token = Data<'GET /api/token/page'>['items'][number]
export type NewToken = RequestBody<'POST /api/token/'>

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const NEVER = -1

/** Returns the key with its prefix, as clients send it. */
export const fullKeyOf = ({ key }: Pick<Token, 'key'>): string => `sk-${key}`

const SORTS = ['name', 'status', 'used_quota', 'remain_quota', 'created_time', 'accessed_time', 'expired_time'] as const

interface TokenQuery extends ListPage, ListSort {
  keyword: string
  /** A part of the key to search for. The body contains this part, because proxies log URLs. */
  key: string
}

/** Lists the user's tokens. A search by key ignores `sort`: the server returns all matches, newest first. */
export async function listTokens({ page, pageSize, keyword, key, ...sort }: TokenQuery, signal?: AbortSignal) {
  if (key === '') {
    const query = { p: page, page_size: pageSize, keyword, ...sortQuery(SORTS, sort) }
    return call('GET /api/token/page', { query, signal })
  }
  const matches = await call('POST /api/token/find', { body: { keyword, token: key.replace(/^sk-/, '') }, signal })
  return { items: matches.slice((page - 1) * pageSize, page * pageSize), total: matches.length }
}

/** Lists the 100 newest tokens of another user, without their keys. Only root may call this. */
export const listTokensOf = (userId: number, signal: AbortSignal) =>
  call('GET /api/token/page', { query: { user_id: userId, page_size: 100 }, signal })

export const getToken = (id: number, signal: AbortSignal) => call('GET /api/token/:id', { path: { id }, signal })

/** Creates a token. Returns the token with its key. */
export const createToken = (body: NewToken) => call('POST /api/token/', { query: { answer: 'record' }, body })

export const updateToken = (body: RequestBody<'PUT /api/token/'>) => call('PUT /api/token/', { body })

export const setTokenStatus = ({ id, status }: Pick<Token, 'id' | 'status'>) =>
  call('PUT /api/token/', { query: { status_only: 'true' }, body: { id, status } })

export const deleteToken = ({ id }: Pick<Token, 'id'>) => call('DELETE /api/token/:id', { path: { id } })

/** Lists the user's 100 newest tokens. A chat application gets one of these tokens. */
export const listFirstTokens = (signal: AbortSignal) => call('GET /api/token/', { query: { p: 0, size: 100 }, signal })
