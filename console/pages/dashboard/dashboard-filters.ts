import type { TimeRange } from '../../api/logs.ts'
import { chosenRange } from '../logs/log-filters.ts'
import { type Granularity, isGranularity, isHourlyTooLong, usualRange } from './buckets.ts'

/** As they stand in the address. Times are unix seconds; without them the range is the usual one, up to now. */
export interface DashboardFilters extends Record<string, string> {
  from: string
  to: string
  by: string
  username: string
}

export const NO_DASHBOARD_FILTERS: DashboardFilters = { from: '', to: '', by: '', username: '' }

export interface Asked {
  range: TimeRange
  granularity: Granularity
}

/** What to ask for and how to show it. `usual` is the platform's granularity, `now` in milliseconds. */
export function askedOf({ from, to, by }: DashboardFilters, usual: string | undefined, now: number): Asked {
  const asked = isGranularity(by) ? by : isGranularity(usual) ? usual : 'hour'
  const chosen = chosenRange({ from, to })
  const range = chosen ? { start_timestamp: chosen.from, end_timestamp: chosen.to } : usualRange(asked, now)
  return { range, granularity: asked === 'hour' && isHourlyTooLong(range) ? 'day' : asked }
}
