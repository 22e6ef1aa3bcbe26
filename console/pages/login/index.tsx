import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { postLogin } from '../../api/sign-in.ts'
import { useStatus } from '../../api/status.ts'
import { useAction } from '../../components/saving.ts'
import { AccountCard } from '../../components/sign-in/account-card.tsx'
import { AccountField, USERNAME_INPUT } from '../../components/sign-in/account-field.tsx'
import { type FormValues, useAccountForm } from '../../components/sign-in/account-form.ts'
import { BotCheck, type BotCheckState, useBotCheck } from '../../components/sign-in/bot-check.tsx'
import { useEnter } from '../../components/sign-in/enter.ts'
import { SignInButtons } from '../../components/sign-in/sign-in-buttons.tsx'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { returnPath, withReturnPath } from '../../return-path.ts'
import { useLocation, useNavigate, useSearchParams } from '../../router/hooks.ts'
import { Link, Navigate } from '../../router/link.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'

export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { search } = useLocation()
  const { data: status } = useStatus()
  const { user } = useStore(session)
  const check = useBotCheck()
  const signIn = useLogin(check)
  const { problem, onSubmit } = useAccountForm({
    check: findProblem,
    submit: ({ username = '', password = '' }) => check.passed() && signIn.mutate({ username, password }),
  })
  if (user) return <Navigate to={returnPath(search) ?? FIRST_SCREEN} />

  function findProblem({ username, password }: FormValues) {
    if (username && password) return undefined
    return { field: username ? 'password' : 'username', text: t('login.incomplete') }
  }

  return (
    <AccountCard title={t('login.heading', { name: status?.system_name || 'Tollgate' })}>
      {query.get('expired') === 'true' && <Alert type="warning" content={t('failure.signedOut')} />}
      <form onSubmit={onSubmit} noValidate>
        <AccountField name="username" label={t('login.username')} problem={problem} {...USERNAME_INPUT} />
        <AccountField
          name="password"
          type="password"
          label={t('account.password')}
          problem={problem}
          autoComplete="current-password"
        />
        <BotCheck check={check} />
        <Button type="primary" htmlType="submit" size="large" long loading={signIn.isPending}>
          {t('screen.login')}
        </Button>
      </form>
      <div className="account-links">
        <span>
          {t('account.noAccount')} <Link to={`/register${withReturnPath(search)}`}>{t('account.toRegister')}</Link>
        </span>
        <Link to="/reset">{t('account.forgotten')}</Link>
      </div>
      <SignInButtons />
    </AccountCard>
  )
}

/** The default credentials of the root account in a new gateway. */
const DEFAULT_ROOT = { username: 'root', password: '123456' }

function useLogin(check: BotCheckState) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const enter = useEnter()
  return useAction({
    run: (credentials: { username: string; password: string }) =>
      check.run((turnstile) => postLogin({ ...credentials, turnstile })),
    after: async (user, { username, password }) => {
      await enter(user)
      if (username !== DEFAULT_ROOT.username || password !== DEFAULT_ROOT.password) return
      const { warnOfDefaultPassword } = await import('./default-password.ts')
      warnOfDefaultPassword(t, () => navigate('/setting'))
    },
  })
}
