import Descriptions from '@arco-design/web-react/es/Descriptions'
import { useTranslation } from 'react-i18next'
import type { User } from '../../api/users.ts'
import { Quota } from '../../components/quota.tsx'
import { RoleTag } from '../../components/role-tag.tsx'

/** The read-only data of a user. */
export function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation()
  return (
    <Descriptions
      title={t('user.facts')}
      column={1}
      size="small"
      data={[
        { label: t('user.id'), value: user.id },
        { label: t('user.roleTitle'), value: <RoleTag role={user.role} /> },
        { label: t('user.used'), value: <Quota value={user.used_quota} /> },
        { label: t('user.requests'), value: user.request_count },
        { label: t('user.invited'), value: user.aff_count },
        { label: t('user.earnings'), value: <Quota value={user.aff_quota} /> },
        { label: t('user.earned'), value: <Quota value={user.aff_history_quota} /> },
        { label: t('user.inviter'), value: user.inviter_id === 0 ? t('user.noInviter') : `#${user.inviter_id}` },
      ]}
    />
  )
}
