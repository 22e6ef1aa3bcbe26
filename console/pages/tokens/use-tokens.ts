import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listTokens, setTokenStatus, type Token } from '../../api/tokens.ts'
import type { Paging } from '../../components/paging.ts'
import { useRowChange } from '../../components/saving.ts'

export interface TokenFilters extends Record<string, string> {
  keyword: string
  key: string
}

/** The tokens that the filters find, and the switch of each. */
export function useTokens({ keyword, key }: TokenFilters, { page, pageSize }: Paging, done: string) {
  const queryKey = ['token', 'list', { keyword, key, page, pageSize }]
  const listing = useQuery({
    queryKey,
    queryFn: ({ signal }) => listTokens({ keyword, key, page, pageSize }, signal),
    placeholderData: keepPreviousData,
  })
  const toggle = useRowChange<Token, Pick<Token, 'id' | 'status'>>({
    queryKey,
    changed: (row, { status }) => ({ ...row, status }),
    run: setTokenStatus,
    done,
  })
  return { listing, toggle }
}
