import type { Data } from './calls.ts'
import { ApiError, call, callWhole } from './client.ts'
import type { ListPage } from './list-page.ts'

/** An online top-up order. */
export type Order = Data<'GET /api/topup/self'>['items'][number]
export type PaymentMethod = 'zfb' | 'wx'

/** A form that the browser submits to the payment gateway. */
export interface PaymentSubmission {
  url: string
  fields: Record<string, string>
}

/** Redeems a code. Returns the added quota. */
export const redeem = (key: string) => call('POST /api/user/topup', { body: { key } })

/** Returns the price of an amount, as text with two decimals, in the payment gateway's currency. */
export const findAmountToPay = (amount: number, signal: AbortSignal) =>
  call('POST /api/user/amount', { body: { amount, top_up_code: '' }, signal })

/** Orders a top-up. Returns the payment form. */
export async function orderTopUp(amount: number, payment_method: PaymentMethod): Promise<PaymentSubmission> {
  const { url, data } = await callWhole('POST /api/user/pay', { body: { amount, top_up_code: '', payment_method } })
  if (url === undefined || typeof data !== 'object') throw new ApiError('unreadable')
  return { url, fields: data }
}

/** Lists the user's orders, newest first. */
export const listOrders = ({ page, pageSize }: ListPage, signal?: AbortSignal) =>
  call('GET /api/topup/self', { query: { p: page, page_size: pageSize }, signal })
