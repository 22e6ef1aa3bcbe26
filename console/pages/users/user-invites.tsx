import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import type { User } from '../../api/users.ts'
import { formatCount, formatQuota } from '../../components/amounts.ts'

/** The number of users that a user has invited, with the earnings, and below this the user's inviter. */
export function InvitesCell({ user: { aff_count, aff_history_quota, inviter_id } }: { user: User }) {
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
