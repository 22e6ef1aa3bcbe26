import type { Data, Query } from './calls.ts'
import { callUnlessSame, type Named } from './client.ts'

export type Dashboard = Data<'GET /api/data/dashboard'>
export type DashboardQuery = Query<'GET /api/data/dashboard'>
/** A query whose grouping may be one of a team. */
type AnyQuery = Omit<DashboardQuery, 'by'> & { by: Grouping }
export type Totals = Dashboard['totals']
export type UsageGroup = Dashboard['groups'][number]
export type Grouping = Dashboard['by']

/** Fetches the dashboard if it has changed since `known`; mostly it has not. */
export const getDashboard = ({ by, ...query }: AnyQuery, known: Named<Dashboard> | undefined, signal: AbortSignal) =>
  callUnlessSame('GET /api/data/dashboard', { query: { ...query, by: by === 'member' ? 'model' : by }, known, signal })

/** The same of a team, or of one of its members. */
export const getTeamDashboard = (
  { id, memberId }: { id: number; memberId: number },
  { scope: _scope, username: _username, by, ...query }: AnyQuery,
  known: Named<Dashboard> | undefined,
  signal: AbortSignal,
) =>
  callUnlessSame('GET /api/team/:id/dashboard', {
    path: { id },
    query: {
      ...query,
      by: by === 'user' || by === 'channel' ? 'model' : by,
      ...(memberId > 0 && { member_id: memberId }),
    },
    known,
    signal,
  })
