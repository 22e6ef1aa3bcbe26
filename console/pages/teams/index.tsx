import Button from '@arco-design/web-react/es/Button'
import { IconPlus, IconUserAdd } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createTeam, joinTeam, listTeams, type Team } from '../../api/teams.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useListing } from '../../components/listing.ts'
import { PageFrame } from '../../components/page.tsx'
import { usePaging } from '../../components/paging.ts'
import { useAction } from '../../components/saving.ts'
import { useNavigate, useParams } from '../../router/hooks.ts'
import NotFoundPage from '../not-found.tsx'
import { teamColumns } from './columns.tsx'
import { TeamPage } from './team-page.tsx'
import { TextDialog } from './text-dialog.tsx'

/** Shows the page of the team whose id is in the URL. Without an id, shows the list of teams. */
export default function TeamsPage() {
  const { id } = useParams()
  if (id === undefined) return <Teams />
  return /^\d{1,9}$/.test(id) ? <TeamPage key={id} id={Number(id)} /> : <NotFoundPage />
}

function Teams() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const paging = usePaging()
  const [openDialog, setOpenDialog] = useState<'new' | 'join'>()
  const { page, pageSize } = paging
  const listing = useListing(['team', 'list', { page, pageSize }], (signal) => listTeams({ page, pageSize }, signal))
  const openTeam = ({ id }: Team) => navigate(`/team/${id}`)
  const close = () => setOpenDialog(undefined)
  const createAction = useAction({ run: (name: string) => createTeam({ name }), stale: ['team'], after: openTeam })
  const joinAction = useAction({ run: joinTeam, stale: ['team'], after: openTeam })
  const columns = useMemo(() => teamColumns(t), [t])
  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={() => setOpenDialog('new')}>
      {t('team.add')}
    </Button>
  )
  const buttons = (
    <>
      <Button icon={<IconUserAdd />} onClick={() => setOpenDialog('join')}>
        {t('team.join')}
      </Button>{' '}
      {addButton}
    </>
  )
  return (
    <PageFrame title={t('screen.team')} extra={buttons}>
      <DataTable
        title={t('screen.team')}
        name="team"
        rowKey="id"
        columns={columns}
        listing={listing}
        paging={paging}
        onOpen={openTeam}
        empty={<EmptyState title={t('team.none')} hint={t('team.noneHint')} action={addButton} />}
      />
      <TextDialog
        title={t('team.add')}
        label={t('field.name')}
        missing={t('team.nameMissing')}
        visible={openDialog === 'new'}
        onSubmit={(name) => createAction.mutateAsync(name)}
        onClose={close}
      />
      <TextDialog
        title={t('team.join')}
        label={t('team.code')}
        missing={t('team.codeMissing')}
        visible={openDialog === 'join'}
        onSubmit={(code) => joinAction.mutateAsync(code)}
        onClose={close}
      />
    </PageFrame>
  )
}
