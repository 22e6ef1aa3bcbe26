import type { Data } from './calls.ts'
import { call, callWhole } from './client.ts'

/** What a model costs before the ratio of a group. */
export type ListedPrice = Data<'GET /api/pricing'>[number]
export type PriceDetail = Data<'GET /api/pricing/details'>[number]

export const PER_CALL = 1

export interface PriceGroup {
  name: string
  desc: string
  ratio: number
}

/** All prices, and the groups that the visitor may use. */
export async function listPrices(signal: AbortSignal): Promise<{ prices: ListedPrice[]; groups: PriceGroup[] }> {
  const { data = [], group_ratio = {}, usable_group = {} } = await callWhole('GET /api/pricing', { signal })
  const groups = Object.entries(group_ratio).map(([name, ratio]) => ({ name, desc: usable_group[name] ?? '', ratio }))
  return { prices: data, groups }
}

/** What cached tokens cost, among the rest; for those who are signed in. */
export const listPriceDetails = (signal: AbortSignal) => call('GET /api/pricing/details', { signal })
