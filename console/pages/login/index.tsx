import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router-dom'
import { failureText } from '../../api/failure.ts'
import { useStatus } from '../../api/status.ts'
import { useTitle } from '../../components/title.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { PasswordInput } from './password-input.tsx'
import './login.css'
import { useLogin } from './use-login.ts'

export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { data: status } = useStatus()
  const { user } = useStore(session)
  const signIn = useLogin()
  const [incomplete, setIncomplete] = useState(false)
  useTitle(t('login.title'))
  if (user) return <Navigate to="/" replace />

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Read from the form, not from state: password managers fill in fields without telling.
    const form = new FormData(event.currentTarget)
    const username = String(form.get('username') ?? '').trim()
    const password = String(form.get('password') ?? '')
    const missing = !username || !password
    setIncomplete(missing)
    if (missing) signIn.reset()
    else signIn.mutate({ username, password })
  }

  const problem = incomplete ? t('login.incomplete') : signIn.error && failureText(t, signIn.error)
  const expired = query.get('expired') === 'true' && !problem
  return (
    <div className="login">
      <form className="login-card" onSubmit={submit} noValidate aria-labelledby="login-title">
        <h1 id="login-title">{t('login.heading', { name: status?.system_name || 'Tollgate' })}</h1>
        {expired && <Alert type="warning" content={t('failure.signedOut')} />}
        {problem && (
          <div id="login-problem">
            <Alert type="error" content={problem} />
          </div>
        )}
        <div className="login-field">
          <label htmlFor="login-username">{t('login.username')}</label>
          <Input
            id="login-username"
            name="username"
            size="large"
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={Boolean(problem)}
            aria-describedby={problem ? 'login-problem' : undefined}
          />
        </div>
        <div className="login-field">
          <label htmlFor="login-password">{t('login.password')}</label>
          <PasswordInput id="login-password" name="password" size="large" autoComplete="current-password" />
        </div>
        <Button type="primary" htmlType="submit" size="large" long loading={signIn.isPending}>
          {t('login.submit')}
        </Button>
      </form>
    </div>
  )
}
