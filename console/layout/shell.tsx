import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { IconMenuFold, IconMenuUnfold } from '@arco-design/web-react/icon'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { isSignedOut } from '../api/failure.ts'
import { useStatus } from '../api/status.ts'
import { onDemand } from '../components/on-demand.tsx'
import { useLocation, useRouter } from '../router/hooks.ts'
import type { PageLocation } from '../router/location.ts'
import { session } from '../session.ts'
import { readStored, writeStored } from '../storage.ts'
import { useStore } from '../store.ts'
import { Footer } from './footer.tsx'
import { useCollapsing, useNarrow } from './narrow.ts'
import { ScreenMenu, useScreens } from './navigation.tsx'
import './shell.css'
import { TopBar } from './top-bar.tsx'

// The drawer loads on demand, because the pages before login do not need it and must load fast.
const MenuDrawer = onDemand(async () => (await import('./menu-drawer.tsx')).MenuDrawer)

/** Paths of screens without a side menu. */
const WITHOUT_SIDE_MENU = ['/', '/about', '/login', '/register', '/reset', '/user/reset']

interface Props {
  /** True while another page is loading. */
  arriving: boolean
  children: ReactNode
}

/** The layout of every page. */
export function Shell({ arriving, children }: Props) {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const { pathname } = useLocation()
  const narrow = useNarrow()
  const [menuOpen, setMenuOpen] = useState<boolean>() // undefined until the drawer is first opened and loaded
  const main = useRef<HTMLElement>(null)
  const isEntry = WITHOUT_SIDE_MENU.includes(pathname)
  useScrollReset(main)
  const hasSideMenu = user !== undefined && !narrow && !isEntry

  // Do not follow the link. The router would treat it as a navigation, and cancel a navigation whose page is loading.
  function skip(event: MouseEvent) {
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: the link targets an element of this page, as the rule requires */}
      <a className="skip-link" href="#main" onClick={skip}>
        {t('layout.skip')}
      </a>
      <TopBar onOpenMenu={() => setMenuOpen(true)} withSteps={user !== undefined && !isEntry} />
      {menuOpen !== undefined && <MenuDrawer visible={narrow && menuOpen} onClose={() => setMenuOpen(false)} />}
      <div className="shell-body">
        {hasSideMenu && <SideMenu />}
        <div className="shell-content">
          <main ref={main} id="main" className="shell-main" tabIndex={-1} aria-busy={arriving}>
            <StatusFailure />
            {children}
          </main>
          <Footer />
        </div>
      </div>
    </div>
  )
}

/** Matches the end of the path of a drawer over a list. The list behind the drawer must keep its scroll position. */
const DRAWER = /\/(add|edit\/[^/]+)\/*$/i

/**
 * After a navigation to another page, scrolls to the top. Also focuses the page if the focused element is gone. After
 * back and forward, the browser restores position and focus.
 */
function useScrollReset(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  const location = useLocation()
  const lastLocation = useRef(location)
  useLayoutEffect(() => {
    const from = lastLocation.current
    lastLocation.current = location
    if (router.get().action === 'pop' || isSamePage(from, location)) return
    window.scrollTo(0, 0)
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [router, location, main])
}

function isSamePage(one: PageLocation, other: PageLocation): boolean {
  const pathOf = ({ pathname }: PageLocation) => pathname.replace(DRAWER, '')
  const tabOf = ({ search }: PageLocation) => new URLSearchParams(search).get('tab')
  return pathOf(one) === pathOf(other) && tabOf(one) === tabOf(other)
}

/** The side menu, which the user can collapse. The default depends on the window's width and the platform. */
function SideMenu() {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const screens = useScreens('side')
  const [storedChoice, setStoredChoice] = useState(() => readStored('sidebar-collapsed', isBoolean))
  const collapsing = useCollapsing()
  const collapsed = storedChoice ?? (collapsing || (status?.default_collapse_sidebar ?? false))
  const label = collapsed ? t('layout.expand') : t('layout.collapse')

  function toggle() {
    writeStored('sidebar-collapsed', !collapsed)
    setStoredChoice(!collapsed)
  }

  return (
    <div className={collapsed ? 'side-menu side-menu-collapsed' : 'side-menu'}>
      <ScreenMenu screens={screens} label={t('layout.sideMenu')} collapsed={collapsed} />
      <Button
        type="text"
        className="side-menu-toggle"
        icon={collapsed ? <IconMenuUnfold /> : <IconMenuFold />}
        aria-label={label}
        aria-expanded={!collapsed}
        title={label}
        onClick={toggle}
      />
    </div>
  )
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/**
 * Reports that the platform's status failed to load. Shows one toast for consecutive failures. Without a stored status,
 * also shows an alert above the page, because the page then lacks amounts and optional features.
 */
function StatusFailure() {
  const { t } = useTranslation()
  const { data, error, isSuccess, isFetching, refetch } = useStatus()
  const [statusError, setStatusError] = useState<Error>() // remains set during the next attempt, to avoid flicker
  const notified = useRef(false)
  const isLoaded = isSuccess && !isFetching

  useEffect(() => {
    // The login page reports an ended session.
    if (error && !isSignedOut(error)) setStatusError(error)
    else if (isLoaded) setStatusError(undefined)
  }, [error, isLoaded])

  const text = statusError && t(isUnreachable(statusError) ? 'failure.statusUnreachable' : 'failure.statusFailed')
  useEffect(() => {
    if (text !== undefined && !notified.current) Message.error(text)
    notified.current = text !== undefined
  }, [text])

  if (data || text === undefined) return null
  return (
    <Alert
      type="error"
      banner
      content={text}
      action={
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          {t('table.retry')}
        </Button>
      }
    />
  )
}

const isUnreachable = (error: Error): boolean => error instanceof ApiError && error.kind === 'unreachable'
