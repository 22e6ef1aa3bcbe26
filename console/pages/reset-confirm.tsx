import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { useTranslation } from 'react-i18next'
import { resetPassword } from '../api/sign-in.ts'
import { useCopy } from '../components/copy.tsx'
import { useAction } from '../components/saving.ts'
import { AccountCard } from '../components/sign-in/account-card.tsx'
import { useSearchParams } from '../router/hooks.ts'
import { Link } from '../router/link.tsx'

export default function ResetConfirmPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const [email, token] = [query.get('email'), query.get('token')]
  return (
    <AccountCard title={t('screen.resetConfirm')}>
      {email && token ? <Confirmation email={email} token={token} /> : <BrokenLink />}
    </AccountCard>
  )
}

/** Resets the password only after a click, because mail scanners also open the link. */
function Confirmation({ email, token }: { email: string; token: string }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const resetAction = useAction({
    run: resetPassword,
    after: (password) => copy(password, t('account.newPasswordCopied')),
  })
  const password = resetAction.data
  return (
    <>
      <p className="account-note">{t(password === undefined ? 'account.confirmHow' : 'account.newPasswordHow')}</p>
      <div className="account-field">
        <label htmlFor="reset-email">{t('account.email')}</label>
        <Input id="reset-email" size="large" readOnly value={email} />
      </div>
      {password === undefined ? (
        <Button
          type="primary"
          size="large"
          long
          loading={resetAction.isPending}
          onClick={() => resetAction.mutate({ email, token })}
        >
          {t('account.confirm')}
        </Button>
      ) : (
        <>
          <div className="account-field">
            <label htmlFor="reset-password">{t('account.newPassword')}</label>
            <div className="account-code">
              <Input id="reset-password" size="large" readOnly value={password} />
              <Button size="large" onClick={() => void copy(password)}>
                {t('action.copy')}
              </Button>
            </div>
          </div>
          <div className="account-links">
            <span>{t('account.confirmDone')}</span>
            <Link to="/login">{t('account.toLogin')}</Link>
          </div>
        </>
      )}
    </>
  )
}

function BrokenLink() {
  const { t } = useTranslation()
  return (
    <>
      <Alert type="error" content={t('account.linkBroken')} />
      <p className="account-note">{t('account.linkBrokenHow')}</p>
      <Link to="/reset">{t('account.resetAnew')}</Link>
    </>
  )
}
