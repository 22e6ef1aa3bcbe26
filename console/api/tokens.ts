import type { Body, Data } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

/** An API key of one's own; `key` is whole, without `sk-`. */
export type Token = Data<'GET /api/token/page'>['items'][number]
export type NewToken = Body<'POST /api/token/'>

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const NEVER = -1

/** The key as programs send it. */
export const keyOf = ({ key }: Pick<Token, 'key'>): string => `sk-${key}`

interface TokenQuery extends ListPage {
  keyword: string
  /** A part of the key. It travels in the body, where no log of a proxy has it. */
  key: string
}

/** The own tokens. A search by key answers all that it finds at once. */
export async function listTokens({ page, pageSize, keyword, key }: TokenQuery, signal?: AbortSignal) {
  if (key === '') return call('GET /api/token/page', { query: { p: page, page_size: pageSize, keyword }, signal })
  const found = await call('POST /api/token/find', { body: { keyword, token: key.replace(/^sk-/, '') }, signal })
  return { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
}

export const getToken = (id: number, signal: AbortSignal) => call('GET /api/token/:id', { path: { id }, signal })

/** Answers the new token, with its key. */
export const createToken = (body: NewToken) => call('POST /api/token/', { query: { answer: 'record' }, body })

export const updateToken = (body: Body<'PUT /api/token/'>) => call('PUT /api/token/', { body })

export const setTokenStatus = ({ id, status }: Pick<Token, 'id' | 'status'>) =>
  call('PUT /api/token/', { query: { status_only: 'true' }, body: { id, status } })

export const deleteToken = ({ id }: Pick<Token, 'id'>) => call('DELETE /api/token/:id', { path: { id } })

/** The newest hundred of the own tokens, for a chat application to take one. */
export const listFirstTokens = (signal: AbortSignal) => call('GET /api/token/', { query: { p: 0, size: 100 }, signal })
