import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { postRegistration } from '../api/sign-in.ts'
import { useStatus } from '../api/status.ts'
import { usePasswordMax } from '../components/form/password-rules.ts'
import { useAction } from '../components/saving.ts'
import { AccountCard } from '../components/sign-in/account-card.tsx'
import { AccountField, USERNAME_INPUT } from '../components/sign-in/account-field.tsx'
import { type FormValues, formValuesOf, useAccountForm } from '../components/sign-in/account-form.ts'
import { BotCheck, type BotCheckState, useBotCheck } from '../components/sign-in/bot-check.tsx'
import { useEmailCode } from '../components/sign-in/email-code.ts'
import { forgetInviteCode, inviteCode, keepInviteCode } from '../components/sign-in/invite-code.ts'
import { SignInButtons } from '../components/sign-in/sign-in-buttons.tsx'
import { FIRST_STEPS } from '../first-screen.ts'
import { returnPath, withReturnPath } from '../return-path.ts'
import { useLocation, useNavigate, useSearchParams } from '../router/hooks.ts'
import { Link } from '../router/link.tsx'
import { startSession } from '../session.ts'
import { findProblem } from './registration.ts'

export default function RegisterPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { search } = useLocation()
  const { data: status } = useStatus()
  const form = useRef<HTMLFormElement>(null)
  const check = useBotCheck()
  const signUp = useRegister(check)
  const code = useEmailCode(check)
  const passwordMax = usePasswordMax()
  const byEmail = status?.email_verification ?? false
  const { problem, onSubmit } = useAccountForm({
    check: (values) => findProblem(values, { byEmail, passwordMax, t }),
    submit: (values) => check.passed() && signUp.mutate(values),
  })
  const aff = query.get('aff')
  const invitedBy = aff || inviteCode()
  useEffect(() => {
    if (aff) keepInviteCode(aff)
  }, [aff])

  return (
    <AccountCard title={t('account.registerHeading', { name: status?.system_name || 'Tollgate' })}>
      {invitedBy && <Alert type="info" content={t('account.invited', { code: invitedBy })} />}
      <form ref={form} onSubmit={onSubmit} noValidate>
        <AccountField
          name="username"
          label={t('account.username')}
          placeholder={t('account.usernameHint')}
          problem={problem}
          {...USERNAME_INPUT}
        />
        <AccountField
          name="password"
          type="password"
          label={t('account.password')}
          placeholder={t('account.passwordHint', { max: passwordMax })}
          problem={problem}
          autoComplete="new-password"
        />
        <AccountField
          name="password2"
          type="password"
          label={t('account.passwordAgain')}
          problem={problem}
          autoComplete="new-password"
        />
        {byEmail && (
          <>
            <AccountField
              name="email"
              type="email"
              label={t('account.email')}
              problem={problem}
              autoComplete="email"
              suffix={
                <Button
                  size="large"
                  disabled={code.disabled}
                  onClick={() => form.current && code.send(formValuesOf(form.current).email ?? '')}
                >
                  {code.text}
                </Button>
              }
            />
            <AccountField
              name="verification_code"
              label={t('account.code')}
              problem={problem}
              autoComplete="one-time-code"
            />
          </>
        )}
        <BotCheck check={check} />
        <Button type="primary" htmlType="submit" size="large" long loading={signUp.isPending}>
          {t('screen.register')}
        </Button>
      </form>
      <div className="account-links">
        <span>
          {t('account.haveAccount')} <Link to={`/login${withReturnPath(search)}`}>{t('account.toLogin')}</Link>
        </span>
      </div>
      <SignInButtons />
    </AccountCard>
  )
}

/** Creates the account and signs the user in. If password sign-in is disabled, opens the login page instead. */
function useRegister(check: BotCheckState) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useAction({
    run: ({ username = '', password = '', password2 = '', email, verification_code }: FormValues) => {
      const applicant = { username, password, password2, email, verification_code, aff_code: inviteCode() }
      return check.run((turnstile) => postRegistration({ ...applicant, turnstile }))
    },
    done: t('account.registered'),
    after: async (user) => {
      const { search } = window.location
      if (user) {
        startSession(user)
        await navigate(returnPath(search) ?? FIRST_STEPS, { replace: true })
      } else await navigate(`/login${withReturnPath(search)}`)
      // Keep this call last. While the registration page is mounted, it stores the invite code from its URL again.
      forgetInviteCode()
    },
  })
}
