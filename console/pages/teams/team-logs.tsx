import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listTeamLogs } from '../../api/teams.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { usePaging } from '../../components/paging.ts'
import { teamLogColumns } from './columns.tsx'

/** Log rows of a team: all for owner and admins, for members those of their own keys. */
export function TeamLogs({ id }: { id: number }) {
  const { t } = useTranslation()
  const paging = usePaging()
  const { page, pageSize } = paging
  const listing = useQuery({
    queryKey: ['team', 'logs', id, { page, pageSize }],
    queryFn: ({ signal }) => listTeamLogs(id, { page, pageSize }, signal),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => teamLogColumns(t), [t])
  // Row ids are not unique in team logs.
  const rows = listing.data && {
    ...listing.data,
    items: listing.data.items.map((row, place) => ({ ...row, id: place })),
  }
  return (
    <section>
      <h2>{t('team.log')}</h2>
      <DataTable
        title={t('team.log')}
        name="team-logs"
        rowKey="id"
        columns={columns}
        listing={{ ...listing, data: rows }}
        paging={paging}
        empty={<EmptyState title={t('team.noLogs')} />}
      />
    </section>
  )
}
