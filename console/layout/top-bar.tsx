import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import {
  IconBulb,
  IconLanguage,
  IconMenu,
  IconMoon,
  IconPoweroff,
  IconSearch,
  IconSettings,
  IconSun,
  IconUser,
} from '@arco-design/web-react/icon'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../api/status.ts'
import { onDemand } from '../components/on-demand.tsx'
import { FIRST_SCREEN, FIRST_STEPS } from '../first-screen.ts'
import { LANGUAGES, type Language, loadAllTexts } from '../language.ts'
import { useLocation, useNavigate } from '../router/hooks.ts'
import { Link, NavLink } from '../router/link.tsx'
import { type SessionUser, session } from '../session.ts'
import { useStore } from '../store.ts'
import { chooseTheme, theme } from '../theme.ts'
import { DropdownMenu } from './dropdown-menu.tsx'
import { useLanguageChoice } from './language-choice.ts'
import { useLogout } from './logout.ts'
import { useCompact, useNarrow } from './narrow.ts'

const Nothing = () => null
// The link loads on demand, because the pages before login do not need it. If loading fails, the rest of the bar works.
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
        {!user && pathname !== '/login' && <Link to="/login">{t('screen.login')}</Link>}
        {!user && pathname !== '/register' && <Link to="/register">{t('screen.register')}</Link>}
      </div>
    </header>
  )
}

function ThemeSwitch() {
  const { t } = useTranslation()
  const dark = useStore(theme) === 'dark'
  return (
    <Button
      type="text"
      shape="circle"
      className="tool"
      icon={dark ? <IconSun /> : <IconMoon />}
      aria-label={dark ? t('layout.light') : t('layout.dark')}
      title={dark ? t('layout.light') : t('layout.dark')}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    />
  )
}

function UserMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const logout = useLogout()
  const name = user.display_name || user.username
  return (
    <DropdownMenu
      button={
        <Button type="text" className="tool user-button" icon={<IconUser />} aria-label={t('layout.user', { name })}>
          <span className="user-name">{name}</span>
        </Button>
      }
    >
      <Menu.Item key="profile" onClick={() => void navigate('/setting')}>
        <IconSettings /> {t('layout.profile')}
      </Menu.Item>
      <Menu.Item key="start" onClick={() => void navigate(FIRST_STEPS)}>
        <IconBulb /> {t('screen.start')}
      </Menu.Item>
      <Menu.Item key="logout" onClick={() => logout.mutate()}>
        <IconPoweroff /> {t('layout.logout')}
      </Menu.Item>
    </DropdownMenu>
  )
}

// Name of each language, in that language.
const NAMES: Record<Language, { name: string; lang: string }> = {
  zh: { name: '简体中文', lang: 'zh-CN' },
  en: { name: 'English', lang: 'en' },
}

function LanguageMenu() {
  const { t, i18n } = useTranslation()
  const choose = useLanguageChoice()

  return (
    <DropdownMenu
      button={
        <Button
          type="text"
          shape="circle"
          className="tool"
          icon={<IconLanguage />}
          aria-label={t('layout.language')}
          title={t('layout.language')}
        />
      }
    >
      {LANGUAGES.map((language) => (
        <Menu.Item
          key={language}
          lang={NAMES[language].lang}
          role="menuitemradio"
          aria-checked={i18n.language === language}
          onClick={() => void choose(language)}
        >
          {NAMES[language].name}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}

const CommandPalette = onDemand(async () => (await import('./command-palette.tsx')).default)

/** The button and the keyboard shortcut of the command palette. The palette's code loads when it first opens. */
function PaletteKey() {
  const { t } = useTranslation()
  const compact = useCompact()
  const [open, setOpen] = useState(false)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') setOpen(false) // the list of entries stops Escape before the dialog gets it
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return (
    <>
      <Button
        className={compact ? 'tool' : 'palette-button'}
        type={compact ? 'text' : 'secondary'}
        icon={<IconSearch />}
        aria-label={t('layout.search')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        {!compact && (
          <span>
            {t('action.search')} <kbd>Ctrl K</kbd>
          </span>
        )}
      </Button>
      {open && <CommandPalette onClose={() => setOpen(false)} />}
    </>
  )
}
