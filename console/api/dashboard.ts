import type { Data, Query } from './calls.ts'
import { callUnlessSame, type Named } from './client.ts'

export type Dashboard = Data<'GET /api/data/dashboard'>
export type DashboardQuery = Query<'GET /api/data/dashboard'>
export type Totals = Dashboard['totals']
export type UsageGroup = Dashboard['groups'][number]
export type Grouping = Dashboard['by']

/** Fetches the dashboard if it has changed since `known`; mostly it has not. */
export const getDashboard = (query: DashboardQuery, known: Named<Dashboard> | undefined, signal: AbortSignal) =>
  callUnlessSame('GET /api/data/dashboard', { query, known, signal })
