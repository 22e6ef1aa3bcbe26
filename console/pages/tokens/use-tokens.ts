import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LimitStatus, listLimitStatus } from '../../api/limits.ts'
import { listTokens, setTokenStatus, type Token } from '../../api/tokens.ts'
import { useListing } from '../../components/listing.ts'
import type { PagingState } from '../../components/paging.ts'
import { useRowChange } from '../../components/saving.ts'
import { groupBy } from '../../records.ts'

export interface TokenFilters extends Record<string, string> {
  keyword: string
  key: string
}

/** Loads the tokens that match the filters. `toggle` enables or disables a token. */
export function useTokens({ keyword, key }: TokenFilters, { page, pageSize, sort, order }: PagingState, done: string) {
  const queryKey = ['token', 'list', { keyword, key, page, pageSize, sort, order }]
  const listing = useListing(queryKey, (signal) => listTokens({ keyword, key, page, pageSize, sort, order }, signal))
  const toggle = useRowChange<Token, Pick<Token, 'id' | 'status'>>({
    queryKey,
    changed: (row, { status }) => ({ ...row, status }),
    run: setTokenStatus,
    done,
  })
  return { listing, toggle }
}

/** Loads the usage of limits by token id. The result contains only tokens with limits. */
export function useTokenLimits(): ReadonlyMap<number, readonly LimitStatus[]> {
  const { data = NO_LIMITS } = useQuery({
    queryKey: ['limit', 'tokens'],
    queryFn: ({ signal }) => listLimitStatus('token', signal),
  })
  return useMemo(() => groupBy(data, ({ subject_id }) => Number(subject_id)), [data])
}

const NO_LIMITS: readonly LimitStatus[] = []
