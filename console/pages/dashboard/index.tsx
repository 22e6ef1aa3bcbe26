import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isAdmin } from '../../access.ts'
import { failureText } from '../../api/failure.ts'
import { DateTime } from '../../components/date-time.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { FIRST_STEPS } from '../../first-screen.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import './dashboard.css'
import { DashboardBar } from './dashboard-bar.tsx'
import { NO_DASHBOARD_FILTERS } from './dashboard-filters.ts'
import { AccountFigures, UsageFigures } from './figures.tsx'
import { NewestLogs } from './newest-logs.tsx'
import { Panel } from './panel.tsx'
import { UsagePanels } from './usage-panels.tsx'
import { useDashboard } from './use-dashboard.ts'

/** Older counts are marked as outdated. */
const LATE_S = 180

export default function DashboardPage() {
  const { t } = useTranslation()
  const everybody = isAdmin(useStore(session).user)
  const { filters, setFilters, clear, filtered } = useFilters(NO_DASHBOARD_FILTERS)
  const { status, asked, dashboard } = useDashboard(filters, everybody)
  const { data } = dashboard
  const loading = status.isPending || dashboard.isPending
  const error = dashboard.error ?? status.error
  const isCounted = status.data?.enable_data_export !== false
  const isUnused = data !== undefined && data.account.request_count === 0 && !everybody
  const username = everybody ? filters.username : ''
  const usageTitle = asked.ofAll
    ? t('dashboard.everybody')
    : username
      ? t('dashboard.ofUser', { name: username })
      : t('dashboard.own')
  const isLate = data !== undefined && data.end - data.counted_until > LATE_S

  return (
    <Page title={t('screen.dashboard')}>
      {error && (
        <Alert
          className="dashboard-failure"
          type="error"
          title={t('dashboard.failed')}
          content={failureText(t, error)}
          action={
            <Button size="small" onClick={() => void (dashboard.error ? dashboard : status).refetch()}>
              {t('dashboard.retry')}
            </Button>
          }
        />
      )}
      <AccountFigures title={t('dashboard.account')} data={data} loading={loading} />
      {isUnused && (
        <section className="panel">
          <EmptyState
            title={t('dashboard.empty.title')}
            hint={t('dashboard.empty.hint')}
            action={
              <LinkButton type="primary" to={FIRST_STEPS}>
                {t('dashboard.empty.start')}
              </LinkButton>
            }
          />
        </section>
      )}
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
              asked={asked}
              onFilter={setFilters}
              onClear={filtered ? clear : undefined}
              everybody={everybody}
            />
          </div>
          <UsageFigures title={usageTitle} data={data} loading={loading} />
          {data?.sampled && <p className="dashboard-note">{t('dashboard.sampled')}</p>}
          {isLate && (
            <p className="dashboard-note">
              {t('dashboard.countedUntil')} <DateTime seconds={data.counted_until} />
            </p>
          )}
          {loading && !error && (
            <section className="panel">
              <Skeleton animation text={{ rows: 8 }} />
            </section>
          )}
          {data && data.groups.length === 0 && data.errors.length === 0 && (
            <section className="panel">
              <EmptyState title={t('dashboard.noUsage')} hint={t('dashboard.noUsageHint')} />
            </section>
          )}
          {data && (data.groups.length > 0 || data.errors.length > 0) && (
            <UsagePanels data={data} asked={asked} username={username} />
          )}
        </>
      )}
      {!isUnused && (
        <Panel
          title={t('dashboard.newest')}
          query={{ data: data?.newest, isError: dashboard.isError }}
          extra={<Link to="/log">{t('dashboard.allLogs')}</Link>}
        >
          {(rows) => <NewestLogs rows={rows} />}
        </Panel>
      )}
    </Page>
  )
}
