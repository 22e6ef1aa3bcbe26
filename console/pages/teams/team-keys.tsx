import Button from '@arco-design/web-react/es/Button'
import Switch from '@arco-design/web-react/es/Switch'
import { IconCopy } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createTeamKey,
  deleteTeamKey,
  listTeamKeys,
  setTeamKeyStatus,
  type Team,
  type TeamKey,
} from '../../api/teams.ts'
import { fullKeyOf, TOKEN_STATUS } from '../../api/tokens.ts'
import { useCopy } from '../../components/copy.tsx'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, quotaColumn } from '../../components/data-table/columns.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { DeleteButton } from '../../components/data-table/row-menu.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useAction, useConfirmedDelete } from '../../components/saving.ts'
import { TextDialog } from './text-dialog.tsx'

/** The keys of a team. Users can copy only their own keys. */
export function TeamKeyPanel({ team: { id, role } }: { team: Team }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [isFormOpen, setFormOpen] = useState(false)
  const listing = useQuery({ queryKey: ['team', 'keys', id], queryFn: ({ signal }) => listTeamKeys(id, signal) })
  const actionOptions = { done: t('action.done'), stale: ['team'] }
  const createAction = useAction({ run: (name: string) => createTeamKey(id, name), ...actionOptions })
  const remove = useConfirmedDelete({
    run: (tokenId: number) => deleteTeamKey(id, tokenId),
    stale: ['team'],
    okText: t('action.confirm'),
  })
  const switchAction = useAction({
    run: ({ tokenId, status }: { tokenId: number; status: number }) => setTeamKeyStatus(id, tokenId, status),
    ...actionOptions,
  })
  const columns: TableColumn<TeamKey>[] = [
    {
      key: 'name',
      early: true,
      fixed: 'left',
      grow: true,
      width: 160,
      title: t('team.keyName'),
      value: ({ name }) => name,
    },
    {
      key: 'status',
      early: true,
      title: t('field.status'),
      render: ({ id: tokenId, name, status }) => (
        <Switch
          checked={status === TOKEN_STATUS.enabled}
          aria-label={t('team.enableOf', { name })}
          onChange={(on) => switchAction.mutate({ tokenId, status: on ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled })}
        />
      ),
      value: ({ status }) => status,
    },
    quotaColumn({ key: 'used', title: t('team.used') }, ({ used_quota }) => used_quota),
    actionsColumn(t, (key) => (
      <div className="row-actions">
        {key.key !== '' && (
          <Button
            type="text"
            icon={<IconCopy />}
            aria-label={t('team.copyOf', { name: key.name })}
            onClick={() => void copy(fullKeyOf(key))}
          />
        )}
        <DeleteButton
          label={t('team.deleteKeyOf', { name: key.name })}
          onClick={() => remove(t('team.deleteKeyQuestion', { name: key.name }), key.id)}
        />
      </div>
    )),
  ]
  const addButton = role !== '' && (
    <Button type="primary" onClick={() => setFormOpen(true)}>
      {t('team.addKey')}
    </Button>
  )
  return (
    <section>
      <h2>{t('team.keys')}</h2>
      <DataTable
        title={t('team.keys')}
        name="team-keys"
        rowKey="id"
        columns={columns}
        listing={listing}
        toolbar={addButton}
        empty={<EmptyState title={t('team.noKeys')} />}
      />
      <TextDialog
        title={t('team.addKey')}
        label={t('team.keyName')}
        missing={t('team.nameMissing')}
        visible={isFormOpen}
        onSubmit={(name) => createAction.mutateAsync(name)}
        onClose={() => setFormOpen(false)}
      />
    </section>
  )
}
