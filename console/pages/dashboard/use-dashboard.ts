import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Named } from '../../api/client.ts'
import { type Dashboard, getDashboard } from '../../api/dashboard.ts'
import { useStatus } from '../../api/status.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { askedOf, type DashboardFilters } from './dashboard-filters.ts'

const REFRESH_MS = 30_000

/** Loads all dashboard data in one call, every half minute while the page is visible. */
export function useDashboard(filters: DashboardFilters, everybody: boolean) {
  const status = useStatus()
  const asked = askedOf(filters, { usual: status.data?.data_export_default_time, everybody })
  const dashboard = useQuery({
    queryKey: ['usage', asked.query],
    queryFn: ({ signal, client, queryKey }) =>
      getDashboard(asked.query, client.getQueryData<Named<Dashboard>>(queryKey), signal),
    select: ({ data }) => data,
    enabled: status.data !== undefined,
    refetchInterval: ({ state }) => nextRefresh(state, REFRESH_MS),
    placeholderData: keepPreviousData,
  })
  return { status, asked, dashboard }
}
