import Select from '@arco-design/web-react/es/Select'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listMembers, removeMember, setMemberRole, TEAM_ROLES, type Team, type TeamMember } from '../../api/teams.ts'
import { useConfirm } from '../../components/confirm.tsx'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, quotaColumn } from '../../components/data-table/columns.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { DeleteButton } from '../../components/data-table/row-menu.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { useAction, useConfirmedDelete } from '../../components/saving.ts'

interface Props {
  team: Team
  owns: boolean
  manages: boolean
}

/** The members of a team. Users with the role `member` see only their own row. */
export function TeamMembers({ team: { id }, owns, manages }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const query = useQuery({ queryKey: ['team', 'members', id], queryFn: ({ signal }) => listMembers(id, signal) })
  const listing = { ...query, data: query.data && { items: query.data, total: query.data.length } }
  const changeAction = useAction({
    run: ({ user_id, role }: Pick<TeamMember, 'user_id' | 'role'>) => setMemberRole(id, user_id, role),
    done: t('action.done'),
    stale: ['team'],
  })
  const remove = useConfirmedDelete({
    run: (userId: number) => removeMember(id, userId),
    stale: ['team'],
    okText: t('action.confirm'),
  })

  function changeRole({ user_id, username }: TeamMember, role: TeamMember['role']) {
    if (role !== 'owner') return changeAction.mutate({ user_id, role })
    confirm({
      title: t('team.ownerQuestion', { name: username }),
      danger: true,
      onOk: () => changeAction.mutateAsync({ user_id, role }),
    })
  }

  const columns: TableColumn<TeamMember>[] = [
    {
      key: 'user',
      early: true,
      fixed: 'left',
      grow: true,
      width: 140,
      title: t('log.user'),
      value: ({ username }) => username,
    },
    {
      key: 'role',
      early: true,
      width: 140,
      title: t('field.role'),
      render: (member) =>
        owns && member.role !== 'owner' ? (
          <Select
            value={member.role}
            aria-label={t('team.roleOf', { name: member.username })}
            options={TEAM_ROLES.map((value) => ({ value, label: t(`team.role.${value}`) }))}
            onChange={(role: TeamMember['role']) => changeRole(member, role)}
          />
        ) : (
          t(`team.role.${member.role}`)
        ),
      value: ({ role }) => role,
    },
    { key: 'keys', align: 'right', title: t('team.keys'), render: ({ keys }) => keys, value: ({ keys }) => keys },
    quotaColumn({ key: 'used', title: t('team.used') }, ({ used_quota }) => used_quota),
    {
      key: 'joined',
      width: 150,
      rank: 2,
      title: t('team.joined'),
      render: ({ joined_at }) => <DateTime seconds={joined_at} />,
    },
  ]
  const removeButton = ({ role, user_id, username: name }: TeamMember) =>
    (owns ? role !== 'owner' : role === 'member') && (
      <DeleteButton
        label={t('team.removeOf', { name })}
        onClick={() => remove(t('team.removeQuestion', { name }), user_id)}
      />
    )
  if (manages) columns.push(actionsColumn(t, removeButton))
  return (
    <section>
      <h2>{t('team.members')}</h2>
      <DataTable
        title={t('team.members')}
        name="team-members"
        rowKey="user_id"
        columns={columns}
        listing={listing}
        empty={null}
      />
    </section>
  )
}
