import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { FIRST_STEPS } from '../../first-screen.ts'
import { Link } from '../../router/link.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { NO_DASHBOARD_FILTERS } from './dashboard-filters.ts'
import { AccountFigures } from './figures.tsx'
import { NewestLogs } from './newest-logs.tsx'
import { Panel } from './panel.tsx'
import { UsageFailure, UsageSection } from './usage-section.tsx'
import { useDashboard } from './use-dashboard.ts'

export default function DashboardPage() {
  const { t } = useTranslation()
  const allUsers = isAdmin(useStore(session).user)
  const { filters, setFilters, clear, filtered } = useFilters(NO_DASHBOARD_FILTERS)
  const load = useDashboard(filters, { allUsers })
  const { status, selection, dashboard } = load
  const { data } = dashboard
  const isUnused = data !== undefined && data.account.request_count === 0 && !allUsers
  const username = allUsers ? filters.username : ''
  const scope = useMemo(() => ({ username }), [username])
  const usageTitle = selection.ofAll
    ? t('dashboard.everybody')
    : username
      ? t('dashboard.ofUser', { name: username })
      : t('dashboard.own')

  return (
    <PageFrame title={t('screen.dashboard')}>
      <UsageFailure load={load} />
      <AccountFigures title={t('dashboard.account')} data={data} loading={status.isPending || dashboard.isPending} />
      {isUnused && (
        <section className="panel">
          <EmptyState
            title={t('dashboard.empty.title')}
            hint={t('dashboard.empty.hint')}
            action={
              <LinkButton type="primary" to={FIRST_STEPS}>
                {t('screen.start')}
              </LinkButton>
            }
          />
        </section>
      )}
      {!isUnused && (
        <>
          <UsageSection
            title={usageTitle}
            load={load}
            filters={filters}
            onFilter={setFilters}
            onClear={filtered ? clear : undefined}
            allUsers={allUsers}
            scope={scope}
          />
          <Panel title={t('dashboard.newest')} extra={<Link to="/log">{t('dashboard.allLogs')}</Link>}>
            {data && <NewestLogs rows={data.newest} />}
            {!data && dashboard.isError && <p className="panel-empty">{t('dashboard.missing')}</p>}
            {!data && !dashboard.isError && <Skeleton animation text={{ rows: 5 }} />}
          </Panel>
        </>
      )}
    </PageFrame>
  )
}
