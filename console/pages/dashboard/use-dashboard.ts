import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TaggedData } from '../../api/client.ts'
import { type Dashboard, type Grouping, getDashboard, getTeamDashboard } from '../../api/dashboard.ts'
import { useStatus } from '../../api/status.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { type DashboardFilters, selectionOf } from './dashboard-filters.ts'

const REFRESH_MS = 30_000

interface DashboardSource {
  /** True for administrators, who can view all users or one user. */
  allUsers: boolean
  /** Loads the usage of a team instead of users. `memberId` is 0 for all members. */
  team?: { id: number; memberId: number; groupings: readonly Grouping[] }
}

/** Loads all data of the dashboard in one call, and again every 30 seconds while the page is visible. */
export function useDashboard(filters: DashboardFilters, { allUsers, team }: DashboardSource) {
  const status = useStatus()
  const selection = selectionOf(filters, {
    defaultGranularity: status.data?.data_export_default_time,
    allUsers,
    groupings: team?.groupings,
  })
  const dashboard = useQuery({
    queryKey: ['usage', selection.query, team?.id, team?.memberId],
    queryFn: ({ signal, client, queryKey }) => {
      const known = client.getQueryData<TaggedData<Dashboard>>(queryKey)
      return team
        ? getTeamDashboard(team, selection.query, known, signal)
        : getDashboard(selection.query, known, signal)
    },
    select: ({ data }) => data,
    enabled: status.data !== undefined,
    refetchInterval: ({ state }) => nextRefresh(state, REFRESH_MS),
    placeholderData: keepPreviousData,
  })
  return { status, selection, dashboard }
}

export type DashboardLoad = ReturnType<typeof useDashboard>
