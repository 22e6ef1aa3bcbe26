import { useQuery } from '@tanstack/react-query'
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

/** Loads all prices, and the groups that the visitor may use. */
export const usePrices = ({ enabled = true } = {}) =>
  useQuery({ queryKey: ['pricing', 'list'], queryFn: ({ signal }) => listPrices(signal), enabled })

async function listPrices(signal: AbortSignal): Promise<{ prices: ListedPrice[]; groups: PriceGroup[] }> {
  const { data = [], group_ratio = {}, usable_group = {} } = await callWhole('GET /api/pricing', { signal })
  const groups = Object.entries(group_ratio).map(([name, ratio]) => ({ name, desc: usable_group[name] ?? '', ratio }))
  return { prices: data, groups }
}

/** Loads details of the prices, such as for cached tokens, by model name. Only for signed-in users. */
export const usePriceDetails = ({ enabled = true } = {}) =>
  useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => {
      const details = await call('GET /api/pricing/details', { signal })
      return new Map(details.map((detail) => [detail.model_name, detail]))
    },
    enabled,
  })
