import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listTeamLogs, type Team } from '../../api/teams.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { useListing } from '../../components/listing.ts'
import { useFilters, usePaging } from '../../components/paging.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { selectedRange } from '../logs/log-filters.ts'
import { RangeAndTypeFilters } from '../logs/range-and-type-filters.tsx'
import { teamLogColumns } from './columns.tsx'
import { MemberSelect } from './member-select.tsx'

const NO_FILTERS = { type: '', token_name: '', model_name: '', group: '', request_id: '', member: '', from: '', to: '' }
type Filters = typeof NO_FILTERS

/** The log of a team. Owner and admins see all rows; members see the rows of their own keys. */
export function TeamLogs({ team: { id }, manages }: { team: Team; manages: boolean }) {
  const { t } = useTranslation()
  const paging = usePaging()
  const { filters, setFilters, filtered, bar } = useFilters(NO_FILTERS)
  const { page, pageSize } = paging
  const query = { ...queryOf(filters), p: page, page_size: pageSize }
  const listing = useListing(['team', 'logs', id, query], (signal) => listTeamLogs(id, query, signal))
  const columns = useMemo(() => teamLogColumns(t, id), [t, id])
  // The index is the key, because the row ids of team logs are not unique.
  const rows = listing.data && {
    ...listing.data,
    items: listing.data.items.map((row, place) => ({ ...row, id: place })),
  }
  return (
    <DataTable
      title={t('team.log')}
      name="team-logs"
      rowKey="id"
      columns={columns}
      listing={{ ...listing, data: rows }}
      paging={paging}
      toolbar={
        <FilterBar<string>
          fields={[
            { name: 'token_name', label: t('log.filter.token') },
            { name: 'model_name', label: t('log.filter.model') },
            { name: 'request_id', label: t('request.id') },
          ]}
          {...bar}
        >
          {manages && <MemberSelect id={id} value={filters.member} onChange={(member) => setFilters({ member })} />}
          <RangeAndTypeFilters filters={filters} onChange={setFilters} />
        </FilterBar>
      }
      filtered={filtered}
      empty={<EmptyState title={t('team.noLogs')} />}
    />
  )
}

function queryOf({ token_name, model_name, group, request_id, ...filters }: Filters) {
  const range = selectedRange(filters)
  return {
    type: parseWholeNumber(filters.type) ?? 0,
    token_name,
    model_name,
    group,
    request_id,
    member_id: parseWholeNumber(filters.member) ?? 0,
    ...(range && { start_timestamp: range.from, end_timestamp: range.to }),
  }
}
