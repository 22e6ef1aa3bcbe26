import Button from '@arco-design/web-react/es/Button'
import { IconMenu } from '@arco-design/web-react/icon'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../api/status.ts'
import { FIRST_SCREEN } from '../first-screen.ts'
import { loadAllTexts } from '../language.ts'
import { useLocation } from '../router/hooks.ts'
import { Link, NavLink } from '../router/link.tsx'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { LanguageMenu } from './language-menu.tsx'
import { useNarrow } from './narrow.ts'
import { PaletteKey } from './palette-key.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

const Nothing = () => null
// This link loads on demand, because the pages before login do not need it. If loading fails, the rest of the bar works.
const FirstStepsLink = lazy(() =>
  Promise.all([import('./first-steps-link.tsx'), loadAllTexts()]).then(
    ([{ FirstStepsLink }]) => ({ default: FirstStepsLink }),
    () => ({ default: Nothing }),
  ),
)

const DEFAULT_LOGO = '/logo.png'

/** The operator's logo, or the default logo if the operator's logo fails to load. */
function Logo({ address }: { address: string }) {
  const [failedAddress, setFailedAddress] = useState('')
  return (
    <img
      src={address === failedAddress ? DEFAULT_LOGO : address}
      alt=""
      width={28}
      height={28}
      onError={() => setFailedAddress(address)}
    />
  )
}

interface Props {
  onOpenMenu: () => void
  /** Whether to show the link to the first steps. */
  withSteps: boolean
}

export function TopBar({ onOpenMenu, withSteps }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { user } = useStore(session)
  const { pathname } = useLocation()
  const narrow = useNarrow()
  return (
    <header className="top-bar">
      <div className="top-bar-start">
        {narrow && (
          <Button
            type="text"
            shape="circle"
            className="tool"
            icon={<IconMenu />}
            aria-label={t('layout.openMenu')}
            onClick={onOpenMenu}
          />
        )}
        <Link to="/" className="top-bar-brand">
          <Logo address={status?.logo || DEFAULT_LOGO} />
          <span>{status?.system_name || 'Tollgate'}</span>
        </Link>
        {!narrow && (
          <nav className="top-bar-links" aria-label={t('layout.topMenu')}>
            <NavLink to="/">{t('screen.home')}</NavLink>
            <Link to={FIRST_SCREEN}>{t('layout.console')}</Link>
            <NavLink to="/pricing">{t('screen.pricing')}</NavLink>
            <NavLink to="/about">{t('screen.about')}</NavLink>
          </nav>
        )}
      </div>
      <div className="top-bar-tools">
        {withSteps && (
          <Suspense fallback={null}>
            <FirstStepsLink />
          </Suspense>
        )}
        {user && <PaletteKey />}
        <ThemeSwitch />
        <LanguageMenu />
        {user && <UserMenu user={user} />}
        {!user && pathname !== '/login' && <Link to="/login">{t('layout.login')}</Link>}
        {!user && pathname !== '/register' && <Link to="/register">{t('layout.register')}</Link>}
      </div>
    </header>
  )
}
