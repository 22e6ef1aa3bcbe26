import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Modal from '@arco-design/web-react/es/Modal'
import Select from '@arco-design/web-react/es/Select'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createInvite, listInvites, revokeInvite, type Team, type TeamInvite } from '../../api/teams.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, idColumn } from '../../components/data-table/columns.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { DeleteButton } from '../../components/data-table/row-menu.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { useAction } from '../../components/saving.ts'

interface InviteForm {
  role: 'admin' | 'member'
  hours: number
}
const NEW_INVITE: InviteForm = { role: 'member', hours: 72 }
const HOURS_MAX = 720

/** A team's open invites, for the owner and admins of the team. If `owns`, the user can also invite admins. */
export function TeamInvites({ team: { id }, owns }: { team: Team; owns: boolean }) {
  const { t } = useTranslation()
  const [isFormOpen, setFormOpen] = useState(false)
  const query = useQuery({ queryKey: ['team', 'invites', id], queryFn: ({ signal }) => listInvites(id, signal) })
  const listing = { ...query, data: query.data && { items: query.data, total: query.data.length } }
  const inviteAction = useAction({
    run: (invite: InviteForm) => createInvite(id, invite),
    stale: ['team'],
    after({ code = '' }) {
      Modal.info({
        title: t('team.invite'),
        content: (
          <>
            <p>{t('team.invited')}</p>
            <Input readOnly value={code} aria-label={t('team.code')} />
          </>
        ),
        okText: t('action.close'),
      })
    },
  })
  const revokeAction = useAction({
    run: (inviteId: number) => revokeInvite(id, inviteId),
    done: t('action.done'),
    stale: ['team'],
  })
  const roles = owns ? (['member', 'admin'] as const) : (['member'] as const)
  const columns: TableColumn<TeamInvite>[] = [
    idColumn({ title: 'ID', width: 70, early: true, fixed: 'left' }),
    {
      key: 'role',
      early: true,
      grow: true,
      title: t('field.role'),
      render: ({ role }) => t(`team.role.${role}`),
      value: ({ role }) => role,
    },
    {
      key: 'expires',
      width: 150,
      title: t('field.expires'),
      render: ({ expires_at }) => <DateTime seconds={expires_at} />,
    },
    actionsColumn(t, (invite) => (
      <DeleteButton label={t('team.revokeOf', { id: invite.id })} onClick={() => revokeAction.mutate(invite.id)} />
    )),
  ]
  return (
    <section>
      <h2>{t('team.invites')}</h2>
      <DataTable
        title={t('team.invites')}
        name="team-invites"
        rowKey="id"
        columns={columns}
        listing={listing}
        toolbar={<Button onClick={() => setFormOpen(true)}>{t('team.invite')}</Button>}
        empty={<EmptyState title={t('team.noInvites')} />}
      />
      <FormDialog<InviteForm>
        title={t('team.invite')}
        visible={isFormOpen}
        initialValues={NEW_INVITE}
        onSubmit={(invite) => inviteAction.mutateAsync(invite)}
        onClose={() => setFormOpen(false)}
        submitText={t('team.invite')}
      >
        <Field label={t('field.role')} field="role">
          <Select options={roles.map((value) => ({ value, label: t(`team.role.${value}`) }))} />
        </Field>
        <Field label={t('team.hours')} field="hours" rules={[{ required: true, message: t('field.missing') }]}>
          <InputNumber min={1} max={HOURS_MAX} precision={0} />
        </Field>
      </FormDialog>
    </section>
  )
}
