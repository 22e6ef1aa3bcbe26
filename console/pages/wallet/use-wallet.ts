import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listUsableGroups } from '../../api/models.ts'
import { findAmountToPay, listOrders } from '../../api/wallet.ts'
import type { PagingState } from '../../components/paging.ts'

const PAUSE_MS = 400

export const useUsableGroups = () =>
  useQuery({ queryKey: ['group', 'usable'], queryFn: ({ signal }) => listUsableGroups(signal) })

export const useOrders = ({ page, pageSize }: PagingState) =>
  useQuery({
    queryKey: ['wallet', 'orders', { page, pageSize }],
    queryFn: ({ signal }) => listOrders({ page, pageSize }, signal),
    placeholderData: keepPreviousData,
  })

/** Loads the price of an amount after a pause in typing. An undefined `amount` causes no request. */
export function useAmountToPay(amount: number | undefined) {
  const settledAmount = usePaused(amount)
  const query = useQuery({
    queryKey: ['wallet', 'amount', settledAmount],
    queryFn: ({ signal }) => findAmountToPay(settledAmount ?? 0, signal),
    enabled: settledAmount !== undefined,
    retry: false,
  })
  // Until the amount's own price is requested, do not show the price of an earlier amount.
  return settledAmount === amount ? query : { data: undefined, error: null }
}

/** Returns the last value that was unchanged for 400 milliseconds. */
function usePaused<T>(value: T): T {
  const [delayedValue, setDelayedValue] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayedValue(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return delayedValue
}
