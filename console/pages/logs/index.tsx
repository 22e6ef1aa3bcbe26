import Button from '@arco-design/web-react/es/Button'
import Switch from '@arco-design/web-react/es/Switch'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { exportLogs } from '../../api/logs.ts'
import { getUser } from '../../api/users.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { useAction } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { useNavigate } from '../../router/hooks.ts'
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

/** Whether the page polls. The URL stores this value like the filters, but the value is not a filter. */
const NOT_LIVE = { live: '' }

export default function LogsPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const copy = useCopy()
  const paging = usePaging()
  const allUsers = isAdmin(useStore(session).user)
  const state = useFilters(NO_LOG_FILTERS)
  const { filters, filtered } = state
  const mode = useFilters(NOT_LIVE)
  const live = mode.filters.live === '1'
  const { listing, stat, refetch } = useLogs({ filters, paging, allUsers, live })
  const showUserAction = useAction({ run: (id: number) => getUser(id) })
  const handlers = useStableHandlers({
    onCopy: (text: string) => void copy(text),
    onUser: ({ user_id }: KeyedRow) => showUserAction.mutate(user_id),
  })
  const columns = useMemo(() => logColumns(t, handlers, allUsers), [t, handlers, allUsers])

  async function* allRows() {
    for await (const rows of exportLogs(toLogQuery(filters, Date.now()), { allUsers })) yield keyed(rows)
  }

  return (
    <PageFrame
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
      <DataTable
        title={t('screen.log')}
        name="log"
        rowKey="key"
        columns={columns}
        listing={{ ...listing, refetch }}
        paging={paging}
        expandedRowRender={(row) => <ExpandedRow row={row} allUsers={allUsers} onCopy={handlers.onCopy} />}
        allRows={allRows}
        toolbar={<LogFilterBar state={state} allUsers={allUsers} />}
        filtered={filtered}
        empty={
          <EmptyState
            title={t('log.none')}
            hint={t('log.noneHint')}
            action={<Button onClick={() => void navigate('/token')}>{t('log.toTokens')}</Button>}
          />
        }
      />
      <UserPopup user={showUserAction.data} onClose={showUserAction.reset} />
    </PageFrame>
  )
}
