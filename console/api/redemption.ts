import type { Data, RequestBody } from './calls.ts'
import { call } from './client.ts'
import { type ListPage, type ListSort, sortQuery } from './list-page.ts'

/** A code that a user can redeem once for quota. */
export type Redemption = Data<'GET /api/redemption/'>['items'][number]

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** Maximum number of codes that one call creates. */
export const CODES_MAX = 100

const SORTS = ['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'] as const

interface RedemptionQuery extends ListPage, ListSort {
  /** Start of a name, or an id. */
  keyword: string
  /** 0 for every status. */
  status: number
}

/** Lists codes. The default order is newest first. */
export function listRedemptions({ page, pageSize, keyword, status, ...sort }: RedemptionQuery, signal?: AbortSignal) {
  const query = { p: page, page_size: pageSize, status, ...sortQuery(SORTS, sort) }
  return keyword === ''
    ? call('GET /api/redemption/', { query, signal })
    : call('GET /api/redemption/search', { query: { ...query, keyword }, signal })
}

export const getRedemption = (id: number, signal: AbortSignal) =>
  call('GET /api/redemption/:id', { path: { id }, signal })

/** Creates codes and returns them. A call with the same idempotency key and body returns the same codes again. */
export const createRedemptions = (body: RequestBody<'POST /api/redemption/'>, idempotencyKey: string) =>
  call('POST /api/redemption/', { header: { 'idempotency-key': idempotencyKey }, body })

export const updateRedemption = (body: RequestBody<'PUT /api/redemption/'>) => call('PUT /api/redemption/', { body })

export const setRedemptionStatus = ({ id, status }: Pick<Redemption, 'id' | 'status'>) =>
  call('PUT /api/redemption/', { query: { status_only: 'true' }, body: { id, status } })

export const deleteRedemption = ({ id }: Pick<Redemption, 'id'>) => call('DELETE /api/redemption/:id', { path: { id } })
