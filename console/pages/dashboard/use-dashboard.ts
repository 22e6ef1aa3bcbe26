import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getOwnStat, getStat, LOG_TYPE, listLogs, listOwnLogs } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { listOwnUsage, listUsage } from '../../api/usage.ts'
import { getSelf } from '../../api/users.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { NO_LOG_FILTERS, toLogQuery } from '../logs/log-filters.ts'
import { askedOf, type DashboardFilters } from './dashboard-filters.ts'

const REFRESH_MS = 10_000
const LOG_ROWS = 10

/** Everything that the dashboard shows, asked again every ten seconds while the page is in view. */
export function useDashboard(filters: DashboardFilters, everybody: boolean) {
  const status = useStatus()
  const { username } = filters
  const usual = {
    refetchInterval: ({ state }: { state: { error: Error | null } }) => nextRefresh(state, REFRESH_MS),
    placeholderData: keepPreviousData,
  } as const
  const self = useQuery({ queryKey: ['user', 'self'], queryFn: ({ signal }) => getSelf(signal), ...usual })
  const today = useQuery({
    queryKey: ['log', 'today', everybody, username],
    queryFn: ({ signal }) => {
      const query = { ...toLogQuery(NO_LOG_FILTERS, Date.now()), username, type: LOG_TYPE.consume, ...dayUntilNow() }
      return (everybody ? getStat : getOwnStat)(query, signal)
    },
    ...usual,
  })
  const defaultTime = status.data?.data_export_default_time
  const usage = useQuery({
    queryKey: ['usage', everybody, filters, defaultTime],
    queryFn: async ({ signal }) => {
      const asked = askedOf(filters, defaultTime, Date.now())
      const rows = await (everybody
        ? listUsage({ ...asked.range, username }, signal)
        : listOwnUsage(asked.range, signal))
      return { ...asked, rows }
    },
    enabled: status.data?.enable_data_export === true, // without the export nothing is counted per model
    ...usual,
  })
  const newest = useQuery({
    queryKey: ['log', 'newest', everybody, username],
    queryFn: ({ signal }) => {
      const query = {
        ...toLogQuery(NO_LOG_FILTERS, Date.now()),
        username,
        start_timestamp: 0,
        p: 1,
        page_size: LOG_ROWS,
      }
      return (everybody ? listLogs : listOwnLogs)(query, signal)
    },
    ...usual,
  })
  const all = [status, self, today, usage, newest]
  return {
    status,
    self,
    today,
    usage,
    newest,
    error: all.find(({ error }) => error)?.error,
    retry: () => Promise.all(all.filter(({ error }) => error).map(({ refetch }) => refetch())),
  }
}

/** Since midnight, by the reader's calendar. */
function dayUntilNow() {
  const now = new Date()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return { start_timestamp: Math.floor(midnight.getTime() / 1000), end_timestamp: Math.floor(now.getTime() / 1000) }
}
