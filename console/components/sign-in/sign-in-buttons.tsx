import Button from '@arco-design/web-react/es/Button'
import Divider from '@arco-design/web-react/es/Divider'
import { IconGithub, IconLink, IconUserGroup, IconWechat } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginByWeChat } from '../../api/sign-in.ts'
import { useStatus } from '../../api/status.ts'
import { onDemand } from '../on-demand.tsx'
import { useAction } from '../saving.ts'
import { useAuthorize } from './authorize.ts'
import { useEnter } from './enter.ts'
import './sign-in-buttons.css'
import { TelegramButton } from './telegram-button.tsx'

// The dialog loads on demand, because the login page has no other dialog and must load fast.
const WeChatDialog = onDemand(async () => (await import('./wechat-dialog.tsx')).WeChatDialog)

/** Buttons for the external sign-in methods that the platform has enabled. */
export function SignInButtons() {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const authorize = useAuthorize()
  const enter = useEnter()
  const [isWeChatOpen, setWeChatOpen] = useState<boolean>() // undefined until the dialog is first opened and loaded
  const weChatAction = useAction({ run: loginByWeChat, after: (user) => enter(user) })
  if (!status) return null
  const { github_oauth, linuxdo_oauth, oidc_oauth, wechat_login, telegram_oauth } = status
  if (!(github_oauth || linuxdo_oauth || oidc_oauth || wechat_login || telegram_oauth)) return null

  const button = (text: string, icon: ReactNode, onClick: () => void, loading = false) => (
    <Button long size="large" icon={icon} loading={loading} onClick={onClick}>
      {text}
    </Button>
  )
  const opening = authorize.isPending ? authorize.variables : undefined
  return (
    <section className="sign-in-buttons" aria-label={t('account.or')}>
      <Divider>{t('account.or')}</Divider>
      {github_oauth &&
        button(t('account.withGithub'), <IconGithub />, () => authorize.mutate('github'), opening === 'github')}
      {linuxdo_oauth &&
        button(t('account.withLinuxdo'), <IconUserGroup />, () => authorize.mutate('linuxdo'), opening === 'linuxdo')}
      {oidc_oauth &&
        button(
          t('account.withOidc', { name: status.oidc_display_name || t('account.oidc') }),
          <IconLink />,
          () => authorize.mutate('oidc'),
          opening === 'oidc',
        )}
      {wechat_login && button(t('account.withWechat'), <IconWechat />, () => setWeChatOpen(true))}
      {wechat_login && isWeChatOpen !== undefined && (
        <WeChatDialog
          title={t('account.wechatLogin')}
          visible={isWeChatOpen}
          onClose={() => setWeChatOpen(false)}
          onCode={weChatAction.mutateAsync}
          submitText={t('screen.login')}
        />
      )}
      {telegram_oauth && <TelegramButton />}
    </section>
  )
}
