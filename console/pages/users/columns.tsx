import type { TFunction } from 'i18next'
import { Link } from 'react-router-dom'
import { USER_STATUS, type User } from '../../api/users.ts'
import { Count } from '../../components/count.tsx'
import { type Column, widthBelow } from '../../components/data-table/column.ts'
import { ACTIONS_PX } from '../../components/data-table/row-menu.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { Quota } from '../../components/quota.tsx'
import { roleLook } from '../../components/role-tag.tsx'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'
import { UserActions, type UserActs } from './user-actions.tsx'
import { InvitesCell } from './user-invites.tsx'
import { logsOf, spendOf } from './user-links.ts'

export function userColumns(t: TFunction, acts: UserActs): Column<User>[] {
  return [
    {
      key: 'id',
      width: 48,
      sort: 'id',
      title: t('user.id'),
      render: ({ id }) => <span className="number">{id}</span>,
      value: ({ id }) => id,
    },
    {
      key: 'username',
      early: true,
      width: 130,
      grow: true,
      fixed: 'left',
      sort: 'username',
      title: t('user.username'),
      render: ({ username, display_name }) => (
        <span className="user-cell">
          <span className="clamp">{username}</span>
          {display_name && display_name !== username && <span className="clamp muted">{display_name}</span>}
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
      width: 180,
      title: t('user.email'),
      hidden: true,
      render: ({ email }) => email || '–',
      value: ({ email }) => email,
    },
    {
      key: 'group',
      width: 80,
      rank: 3,
      sort: 'group',
      title: t('user.group'),
      render: ({ group }) => group,
      value: ({ group }) => group,
    },
    {
      key: 'quota',
      width: 104,
      align: 'right',
      sort: 'quota',
      title: t('user.balance'),
      render: ({ quota }) => <Quota value={quota} />,
      value: ({ quota }) => quota,
    },
    {
      key: 'used_quota',
      width: 104,
      align: 'right',
      sort: 'used_quota',
      title: t('user.used'),
      render: (user) => (
        <Link to={spendOf(user)} aria-label={t('user.spendOf', { name: user.username })}>
          <Quota value={user.used_quota} />
        </Link>
      ),
      value: ({ used_quota }) => used_quota,
    },
    {
      key: 'request_count',
      width: widthBelow(t('user.requests'), 84),
      rank: 1,
      align: 'right',
      sort: 'request_count',
      title: t('user.requests'),
      render: (user) => (
        <Link to={logsOf(user)} aria-label={t('user.logsOf', { name: user.username })}>
          <Count value={user.request_count} />
        </Link>
      ),
      value: ({ request_count }) => request_count,
    },
    {
      key: 'last_active',
      width: 132,
      rank: 2,
      title: t('user.lastActive'),
      render: ({ last_active }) => (last_active ? <DateTime seconds={last_active} /> : t('user.neverActive')),
      value: ({ last_active }) => (last_active ? isoTime(last_active) : ''),
    },
    {
      key: 'aff_count',
      width: 120,
      rank: 5,
      sort: 'aff_count',
      title: t('user.invites'),
      render: (user) => <InvitesCell user={user} />,
      value: ({ aff_count }) => aff_count,
    },
    {
      key: 'role',
      width: 92,
      rank: 4,
      sort: 'role',
      title: t('user.roleTitle'),
      render: ({ role }) => roleLook(t, role).text,
      value: ({ role }) => roleLook(t, role).text,
    },
    {
      key: 'status',
      early: true,
      width: 84,
      sort: 'status',
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
      width: ACTIONS_PX,
      render: (user) => <UserActions user={user} acts={acts} />,
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
