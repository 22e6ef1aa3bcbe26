import { useQuery } from '@tanstack/react-query'
import { getOwnStat, listOwnLogs, type TimeRange } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { listOwnUsage } from '../../api/usage.ts'
import { getSelf } from '../../api/users.ts'

const REFRESH_MS = 10_000
const LOG_ROWS = 10
export const USAGE_DAYS = 7

/** Everything that the overview shows, asked again every ten seconds while the page is in view. */
export function useOverview() {
  const status = useStatus()
  const self = useQuery({
    queryKey: ['overview', 'self'],
    queryFn: ({ signal }) => getSelf(signal),
    refetchInterval: REFRESH_MS,
  })
  const today = useQuery({
    queryKey: ['overview', 'today'],
    queryFn: ({ signal }) => getOwnStat(lastDays(1), signal),
    refetchInterval: REFRESH_MS,
  })
  const usage = useQuery({
    queryKey: ['overview', 'usage'],
    queryFn: ({ signal }) => listOwnUsage(lastDays(USAGE_DAYS), signal),
    refetchInterval: REFRESH_MS,
    enabled: status.data?.enable_data_export !== false, // without the export nothing is counted per model
  })
  const logs = useQuery({
    queryKey: ['overview', 'logs'],
    queryFn: ({ signal }) => listOwnLogs({ p: 1, page_size: LOG_ROWS }, signal),
    refetchInterval: REFRESH_MS,
  })
  const all = [status, self, today, usage, logs]
  return {
    status,
    self,
    today,
    usage,
    logs,
    error: all.find(({ error }) => error)?.error,
    retry: () => Promise.all(all.filter(({ error }) => error).map(({ refetch }) => refetch())),
  }
}

/** The last whole days up to now, today included, by the reader's calendar. */
function lastDays(days: number): TimeRange {
  const now = new Date()
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
  return { start_timestamp: Math.floor(start.getTime() / 1000), end_timestamp: Math.floor(now.getTime() / 1000) }
}
