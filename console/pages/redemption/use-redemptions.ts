import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listRedemptions, type Redemption, setRedemptionStatus } from '../../api/redemption.ts'
import type { PagingState } from '../../components/paging.ts'
import { useRowChange } from '../../components/saving.ts'

export interface RedemptionFilters extends Record<string, string> {
  keyword: string
  status: string
}

/** Loads the codes that match the filters. `toggle` enables or disables a code. */
export function useRedemptions(
  { keyword, status }: RedemptionFilters,
  { page, pageSize, sort, order }: PagingState,
  done: string,
) {
  const query = { keyword, status: Number(status), page, pageSize, sort, order }
  const queryKey = ['redemption', 'list', query]
  const listing = useQuery({
    queryKey,
    queryFn: ({ signal }) => listRedemptions(query, signal),
    placeholderData: keepPreviousData,
  })
  const toggle = useRowChange<Redemption, Pick<Redemption, 'id' | 'status'>>({
    queryKey,
    changed: (row, { status }) => ({ ...row, status }),
    run: setRedemptionStatus,
    done,
  })
  return { listing, toggle }
}
