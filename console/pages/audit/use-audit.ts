import { useInfiniteQuery } from '@tanstack/react-query'
import { AUDIT_PAGE_SIZE, type AuditQuery, listAudit } from '../../api/audit.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'

/** The values of the filters if no filter is set. */
export const NO_AUDIT_FILTERS = { actor: '', action: '', object: '', from: '', to: '' }
type AuditFilters = typeof NO_AUDIT_FILTERS

export function toAuditQuery({ actor, action, object, from, to }: AuditFilters): AuditQuery {
  return {
    actor: actor || undefined,
    action: action || undefined,
    object: object || undefined,
    start_timestamp: parseWholeNumber(from),
    end_timestamp: parseWholeNumber(to),
  }
}

/** Loads audit rows, newest first. `fetchNextPage` loads older rows. */
export function useAudit(filters: AuditFilters) {
  const query = useInfiniteQuery({
    queryKey: ['audit', 'list', filters],
    queryFn: ({ pageParam, signal }) => listAudit(toAuditQuery(filters), { beforeId: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (rows) => (rows.length < AUDIT_PAGE_SIZE ? undefined : rows.at(-1)?.id),
  })
  const items = query.data?.pages.flat()
  return {
    ...query,
    data: items && { items, total: items.length },
  }
}
