import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isAdmin } from '../../access.ts'
import { failureText } from '../../api/failure.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import './dashboard.css'
import { DashboardBar } from './dashboard-bar.tsx'
import { askedOf, NO_DASHBOARD_FILTERS } from './dashboard-filters.ts'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestLogs } from './newest-logs.tsx'
import { Panel } from './panel.tsx'
import { UsagePanels } from './usage-panels.tsx'
import { useDashboard } from './use-dashboard.ts'

/** Not a filter: which figure the trend shows. */
const USUAL_TREND = { trend: 'count' }

export default function DashboardPage() {
  const { t } = useTranslation()
  const everybody = isAdmin(useStore(session).user)
  const { filters, setFilters, clear, filtered } = useFilters(NO_DASHBOARD_FILTERS)
  const view = useFilters(USUAL_TREND)
  const { status, self, today, usage, newest, error, retry } = useDashboard(filters, everybody)
  const isUnused = self.data?.request_count === 0 && newest.data?.total === 0
  const isCounted = status.data?.enable_data_export !== false
  const loaded = usage.data

  return (
    <Page title={t('screen.dashboard')}>
      {error && (
        <Alert
          className="dashboard-failure"
          type="error"
          title={t('dashboard.failed')}
          content={failureText(t, error)}
          action={
            <Button size="small" onClick={() => void retry()}>
              {t('dashboard.retry')}
            </Button>
          }
        />
      )}
      <Figures
        self={self.data}
        today={today.data}
        usage={loaded?.rows}
        ofAll={everybody && filters.username === ''}
        loading={self.isPending || today.isPending || usage.isLoading}
      />
      {isUnused && <FirstSteps />}
      {!isCounted && (
        <section className="panel">
          <EmptyState title={t('dashboard.off')} hint={t('dashboard.offHint')} />
        </section>
      )}
      {isCounted && !isUnused && (
        <>
          <div className="dashboard-bar">
            <DashboardBar
              filters={filters}
              asked={askedOf(filters, status.data?.data_export_default_time, Date.now())}
              onFilter={setFilters}
              onClear={filtered ? clear : undefined}
              everybody={everybody}
            />
          </div>
          {usage.isLoading && (
            <section className="panel">
              <Skeleton animation text={{ rows: 8 }} />
            </section>
          )}
          {loaded && loaded.rows.length === 0 && (
            <section className="panel">
              <EmptyState title={t('dashboard.noUsage')} hint={t('dashboard.noUsageHint')} />
            </section>
          )}
          {loaded && loaded.rows.length > 0 && (
            <UsagePanels
              {...loaded}
              trend={view.filters.trend === 'tokens' ? 'tokens' : 'count'}
              onTrend={(trend) => view.setFilters({ trend })}
            />
          )}
        </>
      )}
      {!isUnused && (
        <Panel title={t('dashboard.newest')} query={newest} extra={<Link to="/log">{t('dashboard.allLogs')}</Link>}>
          {(page) => <NewestLogs rows={page.items} />}
        </Panel>
      )}
    </Page>
  )
}
