import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getOwnStat, getStat, type LogRow, listLogs, listOwnLogs } from '../../api/logs.ts'
import type { PagingState } from '../../components/paging.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { type LogFilters, toLogQuery } from './log-filters.ts'

const LIVE_MS = 5_000

/** A row with a unique key, because the ids that users get are not unique. */
export interface KeyedRow extends LogRow {
  key: string
}

interface Options {
  filters: LogFilters
  paging: Pick<PagingState, 'page' | 'pageSize'>
  allUsers: boolean
  live: boolean
}

/** Loads rows and statistics in parallel. If `live`, polls both while the page is visible. */
export function useLogs({ filters, paging: { page, pageSize }, allUsers, live }: Options) {
  const filterQuery = {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }: { state: { error: Error | null } }) => live && nextRefresh(state, LIVE_MS),
  } as const
  const listing = useQuery({
    queryKey: ['log', 'list', allUsers, filters, page, pageSize],
    queryFn: async ({ signal }) => {
      const query = { ...toLogQuery(filters, Date.now()), p: page, page_size: pageSize }
      const { items, total } = await (allUsers ? listLogs : listOwnLogs)(query, signal)
      return { items: keyed(items), total }
    },
    ...filterQuery,
  })
  const stat = useQuery({
    queryKey: ['log', 'stat', allUsers, filters],
    queryFn: ({ signal }) => (allUsers ? getStat : getOwnStat)(toLogQuery(filters, Date.now()), signal),
    ...filterQuery,
  })
  return { listing, stat, refetch: () => Promise.all([listing.refetch(), stat.refetch()]) }
}

/** Gives each row a unique key. The key is the request id, else time and id. A counter distinguishes repeated keys. */
export function keyed(rows: readonly LogRow[]): KeyedRow[] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const name = row.request_id || `${row.created_at}-${row.id}`
    const repeats = counts.get(name) ?? 0
    counts.set(name, repeats + 1)
    return { ...row, key: repeats === 0 ? name : `${name}-${repeats}` }
  })
}
