import Button from '@arco-design/web-react/es/Button'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { exportAudit } from '../../api/audit.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { TimeRangePicker } from '../../components/time-range-picker.tsx'
import './audit.css'
import { Changes } from './changes.tsx'
import { auditColumns } from './columns.tsx'
import { NO_AUDIT_FILTERS, toAuditQuery, useAudit } from './use-audit.ts'

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
              { name: 'actor', label: t('audit.filter.actor') },
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
