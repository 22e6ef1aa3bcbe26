import type { DashboardQuery, Grouping } from '../../api/dashboard.ts'
import { selectedRange } from '../logs/log-filters.ts'
import { type Granularity, isGranularity, isHourlyTooLong } from './buckets.ts'
import type { Metric } from './chart-specs.ts'

/** Filters in the URL. `from` and `to` are unix seconds. If both are empty, `range` names one of `RANGES`. */
export const NO_DASHBOARD_FILTERS = {
  range: '',
  from: '',
  to: '',
  /** The granularity. */
  by: '',
  group: '',
  metric: '',
  scope: '',
  username: '',
}
export type DashboardFilters = typeof NO_DASHBOARD_FILTERS

/** Ranges in hours. */
export const RANGES = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const
export type RangeName = keyof typeof RANGES
export const METRICS = ['quota', 'count', 'tokens'] as const satisfies readonly Metric[]
const GROUPINGS = ['model', 'user', 'token', 'channel', 'group'] as const satisfies readonly Grouping[]
/** Groupings of the relays of one user. */
export const USER_GROUPINGS = ['model', 'token', 'group'] as const satisfies readonly Grouping[]
/** Groupings of the relays of a team. */
export const TEAM_GROUPINGS = ['model', 'member', 'token', 'group'] as const satisfies readonly Grouping[]

/** The default range for each granularity of the platform, and the default granularity for each range. */
const RANGE_OF = { hour: '24h', day: '7d', week: '30d' } as const satisfies Record<Granularity, RangeName>
const GRANULARITY_OF = { '24h': 'hour', '7d': 'day', '30d': 'day' } as const satisfies Record<RangeName, Granularity>
const HOUR_S = 3600

type SelectedQuery = Omit<DashboardQuery, 'by'> & { by: Grouping }

export interface DashboardSelection {
  query: SelectedQuery
  /** Undefined if the user has chosen start and end. */
  range: RangeName | undefined
  granularity: Granularity
  /** Whether the range is too long for one bar per hour. */
  isHourlyTooLong: boolean
  metric: Metric
  by: Grouping
  groupings: readonly Grouping[]
  /** Whether the data covers all users. */
  ofAll: boolean
}

/**
 * Returns the query for the filters, and settings for showing its result. `defaultGranularity` is the platform's
 * setting. `groupings` are the allowed groupings unless the data covers all users.
 */
export function selectionOf(
  filters: DashboardFilters,
  {
    defaultGranularity,
    allUsers,
    groupings: accountGroupings = USER_GROUPINGS,
  }: { defaultGranularity: string | undefined; allUsers: boolean; groupings?: readonly Grouping[] | undefined },
): DashboardSelection {
  const platformGranularity = isGranularity(defaultGranularity) ? defaultGranularity : 'hour'
  const period = selectedRange(filters)
  const range = period
    ? undefined
    : (oneOf(Object.keys(RANGES) as RangeName[], filters.range) ?? RANGE_OF[platformGranularity])
  const username = allUsers ? filters.username : ''
  const ofAll = allUsers && filters.scope !== 'own' && username === ''
  const groupings = ofAll ? GROUPINGS : accountGroupings
  const by = oneOf(groupings, filters.group) ?? 'model'
  const metric = oneOf(METRICS, filters.metric) ?? 'quota'
  const times = period && { start_timestamp: period.from, end_timestamp: period.to }
  const tooLong = isHourlyTooLong(times ?? { start_timestamp: 0, end_timestamp: RANGES[range ?? '24h'] * HOUR_S })
  const usualGranularity = filters.range === '' ? platformGranularity : GRANULARITY_OF[range ?? '24h']
  const granularity = isGranularity(filters.by) ? filters.by : usualGranularity
  return {
    query: {
      scope: ofAll ? 'all' : 'own',
      ...(username !== '' && { username }),
      ...(times ?? { last_hours: RANGES[range ?? '24h'] }),
      by,
      metric,
    },
    range,
    granularity: granularity === 'hour' && tooLong ? 'day' : granularity,
    isHourlyTooLong: tooLong,
    metric,
    by,
    groupings,
    ofAll,
  }
}

function oneOf<T extends string>(allowed: readonly T[], text: string): T | undefined {
  return allowed.find((name) => name === text)
}
