import type { Data } from './calls.ts'
import { call, callWhole } from './client.ts'

/** The price of a model before the group ratio. */
export type ListedPrice = Data<'GET /api/pricing'>[number]
export type PriceDetail = Data<'GET /api/pricing/details'>[number]

export const PER_CALL = 1

export interface PriceGroup {
  name: string
  desc: string
  ratio: number
}

/** Returns all prices, and the groups that the visitor may use. */
export async function listPrices(signal: AbortSignal): Promise<{ prices: ListedPrice[]; groups: PriceGroup[] }> {
  const { data = [], group_ratio = {}, usable_group = {} } = await callWhole('GET /api/pricing', { signal })
  const groups = Object.entries(group_ratio).map(([name, ratio]) => ({ name, desc: usable_group[name] ?? '', ratio }))
  return { prices: data, groups }
}

/** Returns details of the prices, such as for cached tokens. Only signed-in users may call this. */
export const listPriceDetails = (signal: AbortSignal) => call('GET /api/pricing/details', { signal })
