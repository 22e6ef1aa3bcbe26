import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import type { User } from '../../api/users.ts'
import { formatCount, formatQuota } from '../../components/amounts.ts'
import { StatusTag } from '../../components/status-tag.tsx'

/** Balance, use and requests of a user: three numbers that fit into a cell, and say what they are. */
export function UserFigures({ user: { quota, used_quota, request_count } }: { user: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const amount = (value: number) => (status ? formatQuota(value, status) : '–')
  return (
    <span className="tag-row user-figures">
      <StatusTag
        color={quota > 0 ? 'green' : 'gray'}
        text={t('user.figure.balance', { amount: amount(quota) })}
        hint={t('user.balance')}
      />
      <StatusTag color="blue" text={t('user.figure.used', { amount: amount(used_quota) })} hint={t('user.used')} />
      <StatusTag
        color="gray"
        text={t('user.figure.requests', { number: formatCount(request_count) })}
        hint={t('user.requests')}
      />
    </span>
  )
}

/** Whom the user has invited, what that earned, and who invited the user. */
export function UserInvites({ user: { aff_count, aff_history_quota, inviter_id } }: { user: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const earned = status ? formatQuota(aff_history_quota, status) : '–'
  return (
    <span className="tag-row user-invites">
      <StatusTag
        color="gray"
        text={t('user.figure.invited', { number: formatCount(aff_count) })}
        hint={t('user.invited')}
      />
      <StatusTag color="gray" text={t('user.figure.earned', { amount: earned })} hint={t('user.earned')} />
      <StatusTag
        color="gray"
        text={inviter_id === 0 ? t('user.noInviter') : t('user.figure.inviter', { id: inviter_id })}
        hint={t('user.inviter')}
      />
    </span>
  )
}
