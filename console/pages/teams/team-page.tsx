import Button from '@arco-design/web-react/es/Button'
import Descriptions from '@arco-design/web-react/es/Descriptions'
import Space from '@arco-design/web-react/es/Space'
import Tabs from '@arco-design/web-react/es/Tabs'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { deleteTeam, getTeam, leaveTeam, redeemForTeam, renameTeam, type Team } from '../../api/teams.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { ThresholdEditor } from '../../components/notices/thresholds.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters } from '../../components/paging.ts'
import { Quota } from '../../components/quota.tsx'
import { useAction, useConfirmedDelete } from '../../components/saving.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { useNavigate, useSearchParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { NO_DASHBOARD_FILTERS, TEAM_GROUPINGS, USER_GROUPINGS } from '../dashboard/dashboard-filters.ts'
import { UsageFailure, UsageSection } from '../dashboard/usage-section.tsx'
import { useDashboard } from '../dashboard/use-dashboard.ts'
import { MemberSelect } from './member-select.tsx'
import { TeamInvites } from './team-invites.tsx'
import { TeamKeyPanel } from './team-keys.tsx'
import { TeamLogs } from './team-logs.tsx'
import { TeamMembers } from './team-members.tsx'
import { TextDialog } from './text-dialog.tsx'
import { TransferQuotaDialog } from './transfer-dialog.tsx'

const TABS = ['overview', 'usage', 'log'] as const

/** The page of one team, with its balance, keys, members, usage and log. Owner and admins also see its invites. */
export function TeamPage({ id }: { id: number }) {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const query = useQuery({ queryKey: ['team', 'one', id], queryFn: ({ signal }) => getTeam(id, signal) })
  const [search, setSearch] = useSearchParams()
  const team = query.data
  const back = <LinkButton to="/team">{t('team.back')}</LinkButton>
  if (!team) {
    return (
      <PageFrame title={t('screen.team')} extra={back}>
        {query.error && <LoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      </PageFrame>
    )
  }
  const owns = team.role === 'owner' || isAdmin(user)
  const manages = owns || team.role === 'admin'
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'overview'
  return (
    <PageFrame title={team.name} extra={back}>
      <TeamActions team={team} owns={owns} manages={manages} />
      <Descriptions
        column={{ xs: 1, md: 3 }}
        data={[
          { label: t('field.balance'), value: <Quota value={team.quota} /> },
          { label: t('team.used'), value: <Quota value={team.used_quota} /> },
          { label: t('team.myRole'), value: t(`team.role.${team.role || 'none'}`) },
        ]}
      />
      <Tabs activeTab={tab} onChange={(tab) => setSearch({ tab })} lazyload destroyOnHide>
        <Tabs.TabPane key="overview" title={t('team.tab.overview')}>
          <TeamKeyPanel team={team} />
          <TeamMembers team={team} owns={owns} manages={manages} />
          {manages && <TeamInvites team={team} owns={owns} />}
          {manages && <ThresholdEditor subject="user" subject_id={id} userId={id} />}
        </Tabs.TabPane>
        <Tabs.TabPane key="usage" title={t('team.tab.usage')}>
          <TeamUsagePanel team={team} manages={manages} />
        </Tabs.TabPane>
        <Tabs.TabPane key="log" title={t('team.log')}>
          <TeamLogs team={team} manages={manages} />
        </Tabs.TabPane>
      </Tabs>
    </PageFrame>
  )
}

type DialogName = 'transfer' | 'redeem' | 'rename'

function TeamActions({ team, owns, manages }: { team: Team; owns: boolean; manages: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<DialogName>()
  const close = () => setOpenDialog(undefined)
  const { id, name } = team
  const options = { stale: ['team'], okText: t('action.confirm'), after: () => navigate('/team') }
  const leave = useConfirmedDelete({ run: () => leaveTeam(id), ...options })
  const remove = useConfirmedDelete({ run: () => deleteTeam(id), ...options })
  const renameAction = useAction({
    run: (text: string) => renameTeam(id, text),
    done: t('action.done'),
    stale: ['team'],
  })
  const redeemAction = useAction({
    run: (code: string) => redeemForTeam(id, code),
    done: t('team.redeemed'),
    stale: ['team'],
  })
  return (
    <>
      <Space wrap>
        {manages && (
          <>
            <Button type="primary" onClick={() => setOpenDialog('transfer')}>
              {t('team.transfer')}
            </Button>
            <Button onClick={() => setOpenDialog('redeem')}>{t('wallet.code')}</Button>
            <Button onClick={() => setOpenDialog('rename')}>{t('team.rename')}</Button>
          </>
        )}
        {(team.role === 'admin' || team.role === 'member') && (
          <Button status="danger" onClick={() => leave(t('team.leaveQuestion', { name }))}>
            {t('team.leave')}
          </Button>
        )}
        {owns && (
          <Button status="danger" onClick={() => remove(t('team.deleteQuestion', { name }))}>
            {t('team.delete')}
          </Button>
        )}
      </Space>
      <TransferQuotaDialog id={id} visible={openDialog === 'transfer'} onClose={close} />
      <TextDialog
        title={t('wallet.code')}
        label={t('wallet.code')}
        missing={t('team.codeMissing')}
        visible={openDialog === 'redeem'}
        onSubmit={(code) => redeemAction.mutateAsync(code)}
        onClose={close}
      />
      <TextDialog
        title={t('team.rename')}
        label={t('field.name')}
        missing={t('team.nameMissing')}
        visible={openDialog === 'rename'}
        initial={name}
        onSubmit={(text) => renameAction.mutateAsync(text)}
        onClose={close}
      />
    </>
  )
}

const NO_FILTERS = { ...NO_DASHBOARD_FILTERS, member: '' }

/** The dashboard of a team. Owner and admins see all usage; members see the usage of their own keys. */
function TeamUsagePanel({ team: { id, name }, manages }: { team: Team; manages: boolean }) {
  const { t } = useTranslation()
  const { filters, setFilters } = useFilters(NO_FILTERS)
  const member = manages ? filters.member : ''
  const load = useDashboard(filters, {
    allUsers: false,
    team: { id, memberId: parseWholeNumber(member) ?? 0, groupings: manages ? TEAM_GROUPINGS : USER_GROUPINGS },
  })
  const scope = useMemo(() => ({ team: id, member }), [id, member])
  return (
    <>
      <UsageFailure load={load} />
      <UsageSection
        title={manages ? t('team.allUsage', { name }) : t('team.ownUsage')}
        load={load}
        filters={filters}
        onFilter={setFilters}
        onClear={undefined}
        allUsers={false}
        scope={scope}
      >
        {manages && <MemberSelect id={id} value={member} onChange={(member) => setFilters({ member })} />}
      </UsageSection>
    </>
  )
}
