import { useQuery } from '@tanstack/react-query'
import { EACH, type Limit, type LimitStatus, listLimitStatus, listLimits } from '../../api/limits.ts'

/** A limit and its usage by each subject. */
export interface LimitUsageRow {
  readonly id: number
  readonly limit: Limit
  /** The usage of each subject, largest first. */
  readonly counts: readonly LimitStatus[]
}

const REFRESH_MS = 5000

/** Loads all limits with their usage, every 5 seconds. */
export function useLimits() {
  const query = useQuery({
    queryKey: ['limit', 'list'],
    async queryFn({ signal }) {
      const [limits, status] = await Promise.all([listLimits(signal), listLimitStatus(undefined, signal)])
      return limitRowsOf(limits, status)
    },
    refetchInterval: REFRESH_MS,
  })
  return { ...query, data: query.data && { items: query.data, total: query.data.length } }
}

function limitRowsOf(limits: readonly Limit[], status: readonly LimitStatus[]): LimitUsageRow[] {
  return limits.map((limit) => ({
    id: limit.id,
    limit,
    counts: status.filter((usage) => usage.limit.id === limit.id).sort((a, b) => b.used - a.used),
  }))
}

export const isDefaultLimit = ({ subject_id }: Pick<Limit, 'subject_id'>): boolean => subject_id === EACH
