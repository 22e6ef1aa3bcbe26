import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Team } from '../../api/teams.ts'
import { useFilters } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { NO_DASHBOARD_FILTERS, TEAM_GROUPINGS, USER_GROUPINGS } from '../dashboard/dashboard-filters.ts'
import { UsageFailure, UsageSection } from '../dashboard/usage-section.tsx'
import { useDashboard } from '../dashboard/use-dashboard.ts'
import { MemberSelect } from './member-select.tsx'

const NO_FILTERS = { ...NO_DASHBOARD_FILTERS, member: '' }

/** The dashboard of a team. Owner and admins see all usage; members see the usage of their own keys. */
export function TeamUsagePanel({ team: { id, name }, manages }: { team: Team; manages: boolean }) {
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
