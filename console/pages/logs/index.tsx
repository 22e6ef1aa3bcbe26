import Button from '@arco-design/web-react/es/Button'
import Switch from '@arco-design/web-react/es/Switch'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { isAdmin } from '../../access.ts'
import { exportLogs } from '../../api/logs.ts'
import { getUser } from '../../api/users.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { useAct } from '../../components/saving.ts'
import { useStableActs } from '../../components/stable-acts.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { logColumns } from './columns.tsx'
import { ExpandedRow } from './expanded-row.tsx'
import { LogFilterBar } from './log-filter-bar.tsx'
import { NO_LOG_FILTERS, toLogQuery } from './log-filters.ts'
import './logs.css'
import { StatBadges } from './stat-badges.tsx'
import { type KeyedRow, keyed, useLogs } from './use-logs.ts'
import { UserPopup } from './user-popup.tsx'

/** Not a filter: whether the page polls. */
const NOT_LIVE = { live: '' }

export default function LogsPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const copy = useCopy()
  const paging = usePaging()
  const everybody = isAdmin(useStore(session).user)
  const { filters, setFilters, clear, filtered, count } = useFilters(NO_LOG_FILTERS)
  const mode = useFilters(NOT_LIVE)
  const live = mode.filters.live === '1'
  const { listing, stat, refetch } = useLogs({ filters, paging, everybody, live })
  const showing = useAct({ run: (id: number) => getUser(id) })
  const acts = useStableActs({
    onCopy: (text: string) => void copy(text),
    onUser: ({ user_id }: KeyedRow) => showing.mutate(user_id),
  })
  const columns = useMemo(() => logColumns(t, acts, everybody), [t, acts, everybody])

  async function* allRows() {
    for await (const rows of exportLogs(toLogQuery(filters, Date.now()), { everybody })) yield keyed(rows)
  }

  return (
    <Page
      title={t('screen.log')}
      extra={
        <>
          <StatBadges stat={stat.data} failed={stat.isError} />
          <span className="log-live">
            {t('log.live')}
            <Switch
              size="small"
              checked={live}
              aria-label={t('log.live')}
              onChange={(on) => mode.setFilters({ live: on ? '1' : '' })}
            />
          </span>
        </>
      }
    >
      <div className={everybody ? 'log-table log-everybody' : 'log-table'}>
        <DataTable
          title={t('screen.log')}
          name="log"
          rowKey="key"
          columns={columns}
          listing={{ ...listing, refetch }}
          paging={paging}
          expandedRowRender={(row) => <ExpandedRow row={row} everybody={everybody} onCopy={acts.onCopy} />}
          allRows={allRows}
          toolbar={
            <LogFilterBar
              filters={filters}
              count={count}
              onFilter={setFilters}
              onClear={filtered ? clear : undefined}
              everybody={everybody}
            />
          }
          empty={
            filtered ? (
              <EmptyState title={t('table.noMatch')} hint={t('table.noMatchHint')} />
            ) : (
              <EmptyState
                title={t('log.none')}
                hint={t('log.noneHint')}
                action={<Button onClick={() => void navigate('/token')}>{t('log.toTokens')}</Button>}
              />
            )
          }
        />
      </div>
      <UserPopup user={showing.data} onClose={showing.reset} />
    </Page>
  )
}
