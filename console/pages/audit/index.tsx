import Button from '@arco-design/web-react/es/Button'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { AUDIT_PAGE_SIZE, type AuditEntry, type AuditQuery, exportAudit, listAudit } from '../../api/audit.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import './audit.css'
import { auditColumns, changedFieldsOf } from './columns.tsx'

const DAY_S = 86_400
const DAYS = { day: 1, week: 7, month: 30 } as const

export default function AuditPage() {
  const { t } = useTranslation()
  const { filters, setFilters, filtered, bar } = useFilters(NO_AUDIT_FILTERS)
  const audit = useAudit(filters)
  const columns = useMemo(() => auditColumns(t), [t])

  return (
    <PageFrame title={t('screen.audit')}>
      <DataTable
        title={t('screen.audit')}
        name="audit"
        rowKey="id"
        columns={columns}
        listing={audit}
        expandedRowRender={(entry) => <Changes entry={entry} />}
        allRows={() => exportAudit(toAuditQuery(filters))}
        toolbar={
          <FilterBar<string>
            fields={[
              { name: 'actor', label: t('audit.actor') },
              { name: 'action', label: t('audit.filter.action') },
              { name: 'object', label: t('audit.filter.object') },
            ]}
            {...bar}
          >
            <TimeRangePicker
              value={{ from: parseWholeNumber(filters.from), to: parseWholeNumber(filters.to) }}
              onChange={({ from, to }) => setFilters({ from: String(from ?? ''), to: String(to ?? '') })}
              shortcuts={(['day', 'week', 'month'] as const).map((name) => ({
                text: t(`audit.range.${name}`),
                range: () => lastDays(DAYS[name]),
              }))}
            />
          </FilterBar>
        }
        filtered={filtered}
        empty={<EmptyState title={t('audit.none')} hint={t('audit.noneHint')} />}
      />
      {audit.hasNextPage && (
        <div className="audit-older">
          <Button loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {t('audit.older')}
          </Button>
        </div>
      )}
    </PageFrame>
  )
}

function lastDays(days: number): { from: number; to: number } {
  const now = Math.floor(Date.now() / 1000)
  return { from: now - days * DAY_S, to: now }
}

/** The fields that an action changed, with the values before and after the action. */
function Changes({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const { before, after } = entry
  const fields = changedFieldsOf(entry)
  if (fields.length === 0) return <p>{t('audit.noFields')}</p>
  return (
    <table className="audit-changes">
      <thead>
        <tr>
          {(['field', 'before', 'after'] as const).map((title) => (
            <th key={title} scope="col">
              {t(`audit.${title}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{textOf(before?.[field])}</td>
            <td>{textOf(after?.[field])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The values of the filters if no filter is set. */
const NO_AUDIT_FILTERS = { actor: '', action: '', object: '', from: '', to: '' }
type AuditFilters = typeof NO_AUDIT_FILTERS

function toAuditQuery({ actor, action, object, from, to }: AuditFilters): AuditQuery {
  return {
    actor: actor || undefined,
    action: action || undefined,
    object: object || undefined,
    start_timestamp: parseWholeNumber(from),
    end_timestamp: parseWholeNumber(to),
  }
}

/** Loads audit rows, newest first. `fetchNextPage` loads older rows. */
function useAudit(filters: AuditFilters) {
  const query = useInfiniteQuery({
    queryKey: ['audit', 'list', filters],
    queryFn: ({ pageParam, signal }) => listAudit(toAuditQuery(filters), { beforeId: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (rows) => (rows.length < AUDIT_PAGE_SIZE ? undefined : rows.at(-1)?.id),
  })
  const items = query.data?.pages.flat()
  return { ...query, data: items && { items, total: items.length } }
}
