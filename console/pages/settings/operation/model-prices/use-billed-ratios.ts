import { useQuery } from '@tanstack/react-query'
import { listPriceDetails } from '../../../../api/pricing.ts'

/** The completion ratios that billing uses now, by model: those of the options as they are stored, else its defaults. */
export function useBilledRatios(): (model: string) => number | undefined {
  const { data } = useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => new Map((await listPriceDetails(signal)).map((row) => [row.model_name, row])),
  })
  return (model) => data?.get(model)?.completion_ratio
}
