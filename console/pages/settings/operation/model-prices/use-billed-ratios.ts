import { useQuery } from '@tanstack/react-query'
import { listPriceDetails } from '../../../../api/pricing.ts'

/** Returns the completion ratios that billing uses now, by model: stored ones, else the defaults. */
export function useBilledRatios(): (model: string) => number | undefined {
  const { data } = useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => new Map((await listPriceDetails(signal)).map((row) => [row.model_name, row])),
  })
  return (model) => data?.get(model)?.completion_ratio
}
