import Tag from '@arco-design/web-react/es/Tag'
import type { TFunction } from 'i18next'
import { USER_STATUS, type User } from '../../api/users.ts'
import type { Column } from '../../components/data-table/column.ts'
import { RoleTag, roleLook } from '../../components/role-tag.tsx'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
import { UserActions, type UserActs } from './user-actions.tsx'
import { UserFigures, UserInvites } from './user-figures.tsx'

export function userColumns(t: TFunction, acts: UserActs): Column<User>[] {
  return [
    { key: 'id', title: t('user.id'), render: ({ id }) => <span className="number">{id}</span>, value: ({ id }) => id },
    {
      key: 'username',
      early: true,
      title: t('user.username'),
      render: ({ username, display_name }) => (
        <span className="user-cell">
          <span>{username}</span>
          {display_name && display_name !== username && <span className="muted">{display_name}</span>}
        </span>
      ),
      value: ({ username }) => username,
    },
    {
      key: 'display_name',
      title: t('user.displayName'),
      hidden: true,
      render: ({ display_name }) => display_name,
      value: ({ display_name }) => display_name,
    },
    {
      key: 'email',
      title: t('user.email'),
      hidden: true,
      render: ({ email }) => email || '–',
      value: ({ email }) => email,
    },
    {
      key: 'group',
      title: t('user.group'),
      wideOnly: true,
      render: ({ group }) => <Tag size="small">{group}</Tag>,
      value: ({ group }) => group,
    },
    {
      key: 'quota',
      title: t('user.figures'),
      render: (user) => <UserFigures user={user} />,
      value: ({ quota }) => quota,
    },
    {
      key: 'used_quota',
      title: t('user.used'),
      hidden: true,
      render: ({ used_quota }) => <span className="number">{used_quota}</span>,
      value: ({ used_quota }) => used_quota,
    },
    {
      key: 'request_count',
      title: t('user.requests'),
      hidden: true,
      render: ({ request_count }) => <span className="number">{request_count}</span>,
      value: ({ request_count }) => request_count,
    },
    {
      key: 'aff_count',
      title: t('user.invites'),
      wideOnly: true,
      render: (user) => <UserInvites user={user} />,
      value: ({ aff_count }) => aff_count,
    },
    {
      key: 'role',
      title: t('user.roleTitle'),
      render: ({ role }) => <RoleTag role={role} />,
      value: ({ role }) => roleLook(t, role).text,
    },
    {
      key: 'status',
      early: true,
      title: t('user.status'),
      render: (user) => <StatusTag {...statusLook(t, user)} />,
      value: (user) => statusLook(t, user).text,
    },
    {
      key: 'actions',
      early: true,
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      render: (user) => <UserActions user={user} {...acts} />,
    },
  ]
}

function statusLook(t: TFunction, { status, DeletedAt }: User): TagLook {
  if (DeletedAt !== null) return { color: 'red', text: t('user.state.deleted') }
  switch (status) {
    case USER_STATUS.enabled:
      return { color: 'green', text: t('user.state.enabled') }
    case USER_STATUS.disabled:
      return { color: 'red', text: t('user.state.disabled') }
    default:
      return { color: 'gray', text: t('user.state.unknown') }
  }
}
