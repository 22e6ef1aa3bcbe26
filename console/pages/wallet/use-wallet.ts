import { useQuery } from '@tanstack/react-query'
import type { Status } from '../../api/status.ts'
import { findAmountToPay, listOrders } from '../../api/wallet.ts'
import { useListing } from '../../components/listing.ts'
import type { PagingState } from '../../components/paging.ts'
import { usePaused } from '../../components/typed-filter.ts'

const PAUSE_MS = 400

export const useOrders = ({ page, pageSize }: PagingState) =>
  useListing(['wallet', 'orders', { page, pageSize }], (signal) => listOrders({ page, pageSize }, signal))

/** Loads the price of an amount after a pause in typing. An undefined `amount` causes no request. */
export function useAmountToPay(amount: number | undefined) {
  const settledAmount = usePaused(amount, PAUSE_MS)
  const query = useQuery({
    queryKey: ['wallet', 'amount', settledAmount],
    queryFn: ({ signal }) => findAmountToPay(settledAmount ?? 0, signal),
    enabled: settledAmount !== undefined,
    retry: false,
  })
  // Until the amount's own price is requested, do not show the price of an earlier amount.
  return settledAmount === amount ? query : { data: undefined, error: null }
}

type Terms = Pick<Status, 'min_topup' | 'display_in_currency' | 'quota_per_unit'>

/** Returns the minimum top-up, in dollars or, if the platform does not show money, in quota. */
export function leastAmount({ min_topup, display_in_currency, quota_per_unit }: Terms): number {
  return display_in_currency ? min_topup : min_topup * Math.trunc(quota_per_unit)
}
