import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { useStatus } from '../api/status.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { LanguageMenu } from './language-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

export function TopBar() {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { user } = useStore(session)
  const { pathname } = useLocation()
  return (
    <header className="top-bar">
      <Link to="/" className="top-bar-brand">
        <img src={status?.logo || '/logo.png'} alt="" width={28} height={28} />
        <span>{status?.system_name || 'Tollgate'}</span>
      </Link>
      <div className="top-bar-tools">
        <ThemeSwitch />
        <LanguageMenu />
        {user && <UserMenu user={user} />}
        {!user && pathname !== '/login' && <Link to="/login">{t('login.title')}</Link>}
      </div>
    </header>
  )
}
