import type { Body, Data } from './calls.ts'
import { call } from './client.ts'
import type { ListPage } from './list-page.ts'

/** A code that turns into quota once. */
export type Redemption = Data<'GET /api/redemption/'>['items'][number]

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** What one call makes at most. */
export const CODES_MAX = 100

interface RedemptionQuery extends ListPage {
  /** The start of a name, or an id. */
  keyword: string
  /** 0 is every status. */
  status: number
}

/** Newest first. */
export function listRedemptions({ page, pageSize, keyword, status }: RedemptionQuery, signal?: AbortSignal) {
  const query = { p: page, page_size: pageSize, status }
  return keyword === ''
    ? call('GET /api/redemption/', { query, signal })
    : call('GET /api/redemption/search', { query: { ...query, keyword }, signal })
}

export const getRedemption = (id: number, signal: AbortSignal) =>
  call('GET /api/redemption/:id', { path: { id }, signal })

/** Answers the codes. The same key with the same body answers the same codes, however often it is asked. */
export const createRedemptions = (body: Body<'POST /api/redemption/'>, idempotencyKey: string) =>
  call('POST /api/redemption/', { header: { 'idempotency-key': idempotencyKey }, body })

export const updateRedemption = (body: Body<'PUT /api/redemption/'>) => call('PUT /api/redemption/', { body })

export const setRedemptionStatus = ({ id, status }: Pick<Redemption, 'id' | 'status'>) =>
  call('PUT /api/redemption/', { query: { status_only: 'true' }, body: { id, status } })

export const deleteRedemption = ({ id }: Pick<Redemption, 'id'>) => call('DELETE /api/redemption/:id', { path: { id } })
