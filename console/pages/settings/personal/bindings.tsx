import Button from '@arco-design/web-react/es/Button'
import { IconEmail, IconGithub, IconLink, IconSend, IconUserGroup, IconWechat } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindWeChat, type CodeProvider } from '../../../api/sign-in.ts'
import { useStatus } from '../../../api/status.ts'
import type { User } from '../../../api/users.ts'
import { useAct } from '../../../components/saving.ts'
import { useAuthorize } from '../../../components/sign-in/authorize.ts'
import { TelegramButton } from '../../../components/sign-in/telegram-button.tsx'
import { WeChatDialog } from '../../../components/sign-in/wechat-dialog.tsx'
import { useUserPresent } from '../../../components/user-present.tsx'
import { EmailDialog } from './email-dialog.tsx'

interface Binding {
  key: string
  name: string
  icon: ReactNode
  /** The user's name at the provider; empty if not bound. */
  value: string
  /** Whether the platform has enabled the provider. */
  enabled: boolean
  /** The button that binds the account. */
  bind: ReactNode
  /** The user can bind another account. */
  changeable?: true
}

/** The email address and external accounts bound to the user. */
export function Bindings({ self }: { self: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { ensure, dialog } = useUserPresent()
  const authorize = useAuthorize(ensure)
  const [open, setOpen] = useState<'email' | 'wechat'>()
  const byWeChat = useAct({
    run: (code: Parameters<typeof bindWeChat>[0]) => ensure(() => bindWeChat(code)),
    done: t('account.bound'),
    stale: ['user'],
  })
  const close = () => setOpen(undefined)

  const button = (name: string, onClick: () => void, text = t('personal.bind')) => (
    <Button size="small" aria-label={`${text} ${name}`} onClick={onClick}>
      {text}
    </Button>
  )
  const atProvider = (name: string, provider: CodeProvider) => button(name, () => authorize.mutate(provider))
  const oidc = status?.oidc_display_name || t('user.oidc')

  const bindings: Binding[] = [
    {
      key: 'email',
      name: t('user.email'),
      icon: <IconEmail />,
      value: self.email,
      enabled: true,
      bind: button(t('user.email'), () => setOpen('email'), self.email ? t('personal.rebind') : t('personal.bind')),
      changeable: true,
    },
    {
      key: 'wechat',
      name: t('user.wechat'),
      icon: <IconWechat />,
      value: self.wechat_id,
      enabled: status?.wechat_login === true,
      bind: button(t('user.wechat'), () => setOpen('wechat')),
    },
    {
      key: 'github',
      name: t('user.github'),
      icon: <IconGithub />,
      value: self.github_id,
      enabled: status?.github_oauth === true,
      bind: atProvider(t('user.github'), 'github'),
    },
    {
      key: 'telegram',
      name: t('user.telegram'),
      icon: <IconSend />,
      value: self.telegram_id,
      enabled: status?.telegram_oauth === true,
      bind: <TelegramButton />,
    },
    {
      key: 'linuxdo',
      name: t('user.linuxdo'),
      icon: <IconUserGroup />,
      value: self.linux_do_id,
      enabled: status?.linuxdo_oauth === true,
      bind: atProvider(t('user.linuxdo'), 'linuxdo'),
    },
    {
      key: 'oidc',
      name: oidc,
      icon: <IconLink />,
      value: self.oidc_id,
      enabled: status?.oidc_oauth === true,
      bind: atProvider(oidc, 'oidc'),
    },
  ]

  return (
    <section className="panel" aria-labelledby="bindings">
      <h2 id="bindings">{t('personal.bindings')}</h2>
      <ul className="bindings">
        {bindings.map(({ key, name, icon, value, enabled, bind, changeable }) => (
          <li key={key}>
            <span className="binding-icon">{icon}</span>
            <span className="binding-name">{name}</span>
            <span className={value ? 'binding-value' : 'binding-value muted'}>
              {value || (enabled ? t('user.unbound') : t('personal.disabled'))}
            </span>
            {enabled && (!value || changeable) && bind}
          </li>
        ))}
      </ul>
      <EmailDialog visible={open === 'email'} onClose={close} />
      <WeChatDialog
        title={t('personal.bindWechat')}
        visible={open === 'wechat'}
        onClose={close}
        onCode={byWeChat.mutateAsync}
        submitText={t('personal.bind')}
      />
      {dialog}
    </section>
  )
}
