import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { sendResetLink } from '../api/sign-in.ts'
import { useAction } from '../components/saving.ts'
import { AccountCard } from '../components/sign-in/account-card.tsx'
import { AccountField } from '../components/sign-in/account-field.tsx'
import { useAccountForm } from '../components/sign-in/account-form.ts'
import { BotCheck, useBotCheck } from '../components/sign-in/bot-check.tsx'
import { useCountdown } from '../components/sign-in/countdown.ts'
import { Link } from '../router/link.tsx'

export default function ResetPage() {
  const { t } = useTranslation()
  const check = useBotCheck()
  const { left, run } = useCountdown()
  const sendAction = useAction({
    run: (email: string) => check.run((turnstile) => run(() => sendResetLink({ email, turnstile }))),
    done: t('account.resetSent'),
  })
  const { problem, onSubmit } = useAccountForm({
    check: ({ email }) => (email ? undefined : { field: 'email', text: t('account.emailMissing') }),
    submit: ({ email = '' }) => check.passed() && sendAction.mutate(email),
  })

  return (
    <AccountCard title={t('screen.reset')}>
      <p className="account-note">{t('account.resetHow')}</p>
      <form onSubmit={onSubmit} noValidate>
        <AccountField
          name="email"
          type="email"
          label={t('account.email')}
          problem={problem}
          autoFocus
          autoComplete="email"
        />
        <BotCheck check={check} />
        <Button type="primary" htmlType="submit" size="large" long loading={sendAction.isPending} disabled={left > 0}>
          {left > 0 ? t('account.retryIn', { left }) : t('account.resetSend')}
        </Button>
      </form>
      <div className="account-links">
        <span>
          {t('account.remembered')} <Link to="/login">{t('account.toLogin')}</Link>
        </span>
      </div>
    </AccountCard>
  )
}
