import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateTime } from '../../components/date-time.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import './dashboard.css'
import { DashboardBar } from './dashboard-bar.tsx'
import type { DashboardFilters } from './dashboard-filters.ts'
import { UsageFigures } from './figures.tsx'
import type { LogScope } from './groups.ts'
import { UsagePanels } from './usage-panels.tsx'
import type { DashboardLoad } from './use-dashboard.ts'

/** Maximum delay of the counts, in seconds. After a longer delay, a note states until when the counts are complete. */
const LATE_S = 180

interface Props {
  title: string
  load: DashboardLoad
  filters: DashboardFilters
  onFilter: (change: Partial<DashboardFilters>) => void
  onClear: (() => void) | undefined
  allUsers: boolean
  /** Selects the relays that the log links show. Must be the same object on each render until its content changes. */
  scope: LogScope
  /** More controls for the bar. */
  children?: ReactNode
}

/** The usage of a period: controls, totals and charts. */
export function UsageSection({ title, load, filters, onFilter, onClear, allUsers, scope, children }: Props) {
  const { t } = useTranslation()
  const { status, selection, dashboard } = load
  const { data } = dashboard
  const loading = status.isPending || dashboard.isPending
  const error = dashboard.error ?? status.error
  const hasUsage = data !== undefined && (data.groups.length > 0 || data.errors.length > 0)
  if (status.data?.enable_data_export === false) {
    return (
      <section className="panel">
        <EmptyState title={t('dashboard.off')} hint={t('dashboard.offHint')} />
      </section>
    )
  }
  return (
    <>
      <div className="dashboard-bar">
        <DashboardBar filters={filters} selection={selection} onFilter={onFilter} onClear={onClear} allUsers={allUsers}>
          {children}
        </DashboardBar>
      </div>
      <UsageFigures title={title} data={data} loading={loading} />
      {data?.sampled && <p className="dashboard-note">{t('dashboard.sampled')}</p>}
      {data && data.end - data.counted_until > LATE_S && (
        <p className="dashboard-note">
          {t('dashboard.countedUntil')} <DateTime seconds={data.counted_until} />
        </p>
      )}
      {loading && !error && (
        <section className="panel">
          <Skeleton animation text={{ rows: 8 }} />
        </section>
      )}
      {data && !hasUsage && (
        <section className="panel">
          <EmptyState title={t('dashboard.noUsage')} hint={t('dashboard.noUsageHint')} />
        </section>
      )}
      {hasUsage && <UsagePanels data={data} selection={selection} scope={scope} />}
    </>
  )
}

/** Reports that the dashboard failed to load, with a retry button. */
export function UsageFailure({ load: { dashboard, status } }: Pick<Props, 'load'>) {
  const { t } = useTranslation()
  const error = dashboard.error ?? status.error
  if (!error) return null
  return (
    <LoadFailure
      className="dashboard-failure"
      title={t('dashboard.failed')}
      error={error}
      onRetry={() => void (dashboard.error ? dashboard : status).refetch()}
    />
  )
}
