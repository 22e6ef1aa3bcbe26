import Button from '@arco-design/web-react/es/Button'
import Descriptions from '@arco-design/web-react/es/Descriptions'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Switch from '@arco-design/web-react/es/Switch'
import Tag from '@arco-design/web-react/es/Tag'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { exportLogs, type LogStat } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { getUser } from '../../api/users.ts'
import { formatCount, formatQuota } from '../../components/amounts.ts'
import { useCopy } from '../../components/copy.tsx'
import { Count } from '../../components/count.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { PageFrame } from '../../components/page.tsx'
import { type FilterState, useFilters, usePaging } from '../../components/paging.ts'
import { Quota } from '../../components/quota.tsx'
import { useAction } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { useNavigate } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { logColumns } from './columns.tsx'
import { ExpandedRow } from './expanded-row.tsx'
import { type LogFilters, NO_LOG_FILTERS, toLogQuery } from './log-filters.ts'
import { RangeAndTypeFilters } from './range-and-type-filters.tsx'
import './logs.css'
import { type KeyedRow, keyed, useLogs } from './use-logs.ts'

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

/** The quota used in the selected range, and the requests and tokens of the last minute. */
function StatBadges({ stat, failed }: { stat: LogStat | undefined; failed: boolean }) {
  const { t } = useTranslation()
  const { data: status, isError: statusFailed } = useStatus()
  if ((!stat && failed) || (!status && statusFailed)) return <Tag color="red">{t('log.stat.failed')}</Tag>
  if (!stat || !status) return <Skeleton animation text={{ rows: 1, width: 240 }} className="log-stat" />
  return (
    <section className="log-stat" aria-label={t('log.stat.label')}>
      <Tag size="large">{t('log.stat.quota', { value: formatQuota(stat.quota, status) })}</Tag>
      <Tag size="large">{t('log.stat.rpm', { value: formatCount(stat.rpm) })}</Tag>
      <Tag size="large">{t('log.stat.tpm', { value: formatCount(stat.tpm) })}</Tag>
    </section>
  )
}

interface UserPopupProps {
  /** The user to show. Undefined closes the popup. */
  user: Awaited<ReturnType<typeof getUser>> | undefined
  onClose: () => void
}

function UserPopup({ user, onClose }: UserPopupProps) {
  const { t } = useTranslation()
  return (
    <Modal
      title={t('log.userInfo.title')}
      visible={user !== undefined}
      onCancel={onClose}
      footer={null}
      autoFocus={false}
    >
      {user && (
        <Descriptions
          column={1}
          data={[
            { label: t('account.username'), value: user.username },
            { label: t('field.balance'), value: <Quota value={user.quota} /> },
            { label: t('field.used'), value: <Quota value={user.used_quota} /> },
            { label: t('field.requests'), value: <Count value={user.request_count} /> },
          ]}
        />
      )}
    </Modal>
  )
}

interface LogFilterBarProps {
  state: FilterState<LogFilters>
  /** True for administrators, who can also filter by user and channel. */
  allUsers: boolean
}

function LogFilterBar({ state: { filters, setFilters, bar }, allUsers }: LogFilterBarProps) {
  const { t } = useTranslation()

  function search(values: Record<string, string>) {
    const { channel = '' } = values
    if (channel !== '' && !parseWholeNumber(channel)) Message.error(t('task.badChannel'))
    else setFilters(values)
  }

  const adminFields = [
    { name: 'username', label: t('account.username') },
    { name: 'channel', label: t('task.channelId') },
  ]
  return (
    <FilterBar<string>
      fields={[
        { name: 'token_name', label: t('log.filter.token') },
        { name: 'model_name', label: t('log.filter.model') },
        { name: 'group', label: t('field.group') },
        ...(allUsers ? adminFields : []),
        { name: 'request_id', label: t('request.id') },
      ]}
      {...bar}
      onSearch={search}
    >
      <RangeAndTypeFilters filters={filters} onChange={setFilters} />
    </FilterBar>
  )
}
