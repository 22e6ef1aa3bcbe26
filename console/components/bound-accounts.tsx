import Descriptions from '@arco-design/web-react/es/Descriptions'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../api/status.ts'
import type { User } from '../api/users.ts'

/** Lists the external accounts and the email of a user, read-only. Users bind accounts in their own settings. */
export function BoundAccounts({ user }: { user: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const accounts: [string, string][] = [
    [t('user.github'), user.github_id],
    [t('user.wechat'), user.wechat_id],
    [t('account.email'), user.email],
    [t('user.telegram'), user.telegram_id],
    [t('user.linuxdo'), user.linux_do_id],
    [status?.oidc_display_name || t('user.oidc'), user.oidc_id],
  ]
  return (
    <Descriptions
      title={t('user.bound')}
      column={1}
      size="small"
      data={accounts.map(([label, value]) => ({ label, value: value || t('user.unbound') }))}
    />
  )
}
