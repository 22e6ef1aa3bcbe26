import Button from '@arco-design/web-react/es/Button'
import { IconEmail, IconGithub, IconLink, IconSend, IconUserGroup, IconWechat } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindWeChat, type CodeProviderName } from '../../../api/sign-in.ts'
import { useStatus } from '../../../api/status.ts'
import type { User } from '../../../api/users.ts'
import { useAction } from '../../../components/saving.ts'
import { useAuthorize } from '../../../components/sign-in/authorize.ts'
import { TelegramButton } from '../../../components/sign-in/telegram-button.tsx'
import { WeChatDialog } from '../../../components/sign-in/wechat-dialog.tsx'
import { useUserPresent } from '../../../components/user-present.tsx'
import { EmailDialog } from './email-dialog.tsx'

interface Binding {
  key: string
  name: string
  icon: ReactNode
  /** The user's id or address at the provider; empty if not bound. */
  value: string
  /** Whether the platform has enabled the provider. */
  enabled: boolean
  /** The button that binds the account. */
  bind: ReactNode
  /** True if the user can replace a bound account by another one. */
  changeable?: true
}

/** The email address and external accounts that are bound to the user. */
export function Bindings({ self }: { self: User }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { ensure, dialog } = useUserPresent()
  const authorize = useAuthorize(ensure)
  const [open, setOpen] = useState<'email' | 'wechat'>()
  const weChatAction = useAction({
    run: (code: string) => ensure(() => bindWeChat(code)),
    done: t('account.bound'),
    stale: ['user'],
  })
  const close = () => setOpen(undefined)

  const button = (name: string, onClick: () => void, text = t('personal.bind')) => (
    <Button size="small" aria-label={`${text} ${name}`} onClick={onClick}>
      {text}
    </Button>
  )
  const atProvider = (name: string, provider: CodeProviderName) => button(name, () => authorize.mutate(provider))
  const oidc = status?.oidc_display_name || t('user.oidc')

  const external = (
    key: 'wechat' | 'github' | 'telegram' | 'linuxdo' | 'oidc',
    icon: ReactNode,
    value: string,
    enabled: boolean | undefined,
    bind: ReactNode,
  ): Binding => ({ key, name: t(`user.${key}`), icon, value, enabled: enabled === true, bind })

  const bindings: Binding[] = [
    {
      key: 'email',
      name: t('account.email'),
      icon: <IconEmail />,
      value: self.email,
      enabled: true,
      bind: button(t('account.email'), () => setOpen('email'), self.email ? t('personal.rebind') : t('personal.bind')),
      changeable: true,
    },
    external(
      'wechat',
      <IconWechat />,
      self.wechat_id,
      status?.wechat_login,
      button(t('user.wechat'), () => setOpen('wechat')),
    ),
    external('github', <IconGithub />, self.github_id, status?.github_oauth, atProvider(t('user.github'), 'github')),
    external('telegram', <IconSend />, self.telegram_id, status?.telegram_oauth, <TelegramButton />),
    external(
      'linuxdo',
      <IconUserGroup />,
      self.linux_do_id,
      status?.linuxdo_oauth,
      atProvider(t('user.linuxdo'), 'linuxdo'),
    ),
    { ...external('oidc', <IconLink />, self.oidc_id, status?.oidc_oauth, atProvider(oidc, 'oidc')), name: oidc },
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
        onCode={weChatAction.mutateAsync}
        submitText={t('personal.bind')}
      />
      {dialog}
    </section>
  )
}
