import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { USER_STATUS, type User } from '../../api/users.ts'
import { formatCount, formatQuota } from '../../components/amounts.ts'
import { Count } from '../../components/count.tsx'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, idColumn, quotaColumn, textColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { Quota } from '../../components/quota.tsx'
import { roleBadge } from '../../components/role-tag.tsx'
import { type BadgeStyle, StatusTag } from '../../components/status-tag.tsx'
import { Link } from '../../router/link.tsx'
import { UserActions, type UserHandlers } from './user-actions.tsx'
import { logsOf, spendOf } from './user-links.ts'

export function userColumns(t: TFunction, handlers: UserHandlers): TableColumn<User>[] {
  return [
    idColumn({ width: 48, title: t('field.id') }),
    {
      key: 'username',
      early: true,
      width: 130,
      grow: true,
      fixed: 'left',
      sort: 'username',
      title: t('account.username'),
      render: ({ username, display_name }) => (
        <span className="user-cell">
          <span className="clamp">{username}</span>
          {display_name && display_name !== username && <span className="clamp muted">{display_name}</span>}
        </span>
      ),
      value: ({ username }) => username,
    },
    { key: 'display_name', title: t('user.displayName'), hidden: true, value: ({ display_name }) => display_name },
    textColumn({ key: 'email', width: 180, title: t('account.email'), hidden: true }, ({ email }) => email),
    { key: 'group', width: 80, rank: 3, sort: 'group', title: t('field.group'), value: ({ group }) => group },
    quotaColumn({ key: 'quota', width: 104, sort: 'quota', title: t('user.balance') }, (row) => row.quota),
    {
      key: 'used_quota',
      width: 104,
      align: 'right',
      sort: 'used_quota',
      title: t('channel.used'),
      render: (user) => (
        <Link to={spendOf(user)} aria-label={t('user.spendOf', { name: user.username })}>
          <Quota value={user.used_quota} />
        </Link>
      ),
      value: ({ used_quota }) => used_quota,
    },
    {
      key: 'request_count',
      width: 84,
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
    timeColumn(
      { key: 'last_active', width: 132, rank: 2, title: t('user.lastActive') },
      (row) => row.last_active ?? 0,
      t('user.neverActive'),
    ),
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
      width: 104,
      rank: 4,
      sort: 'role',
      title: t('field.role'),
      value: ({ role }) => roleBadge(t, role).text,
    },
    {
      key: 'status',
      early: true,
      width: 84,
      sort: 'status',
      title: t('field.status'),
      render: (user) => <StatusTag {...statusBadge(t, user)} />,
      value: (user) => statusBadge(t, user).text,
    },
    actionsColumn(t, (user) => <UserActions user={user} handlers={handlers} />),
  ]
}

function statusBadge(t: TFunction, { status, DeletedAt }: User): BadgeStyle {
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

/** The number of users that a user has invited, with the earnings, and below this the user's inviter. */
function InvitesCell({ user: { aff_count, aff_history_quota, inviter_id } }: { user: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const earned = status ? formatQuota(aff_history_quota, status) : '–'
  const inviter = inviter_id === 0 ? t('user.noInviter') : t('user.figure.inviter', { id: inviter_id })
  return (
    <span className="user-invites">
      {aff_count > 0 && (
        <span>
          {t('user.figure.invited', { number: formatCount(aff_count) })} {t('user.figure.earned', { amount: earned })}
        </span>
      )}
      <span className="muted">{inviter}</span>
    </span>
  )
}
