import type { Data, Query } from './calls.ts'
import { callIfChanged, type TaggedData } from './client.ts'

export type Dashboard = Data<'GET /api/data/dashboard'>
export type DashboardQuery = Query<'GET /api/data/dashboard'>
/** A query whose grouping may also be `member`, which only teams have. */
type AnyQuery = Omit<DashboardQuery, 'by'> & { by: Grouping }
export type DashboardTotals = Dashboard['totals']
export type UsageGroup = Dashboard['groups'][number]
export type Grouping = Dashboard['by']

/** Returns the dashboard; `known` itself if the data has not changed. */
export const getDashboard = (
  { by, ...query }: AnyQuery,
  known: TaggedData<Dashboard> | undefined,
  signal: AbortSignal,
) =>
  callIfChanged('GET /api/data/dashboard', { query: { ...query, by: by === 'member' ? 'model' : by }, known, signal })

/** Like `getDashboard`, for a team, or for one of its members if `memberId` is above 0. */
export const getTeamDashboard = (
  { id, memberId }: { id: number; memberId: number },
  { scope: _scope, username: _username, by, ...query }: AnyQuery,
  known: TaggedData<Dashboard> | undefined,
  signal: AbortSignal,
) =>
  callIfChanged('GET /api/team/:id/dashboard', {
    path: { id },
    query: {
      ...query,
      by: by === 'user' || by === 'channel' ? 'model' : by,
      ...(memberId > 0 && { member_id: memberId }),
    },
    known,
    signal,
  })
