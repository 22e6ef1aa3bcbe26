import { type MouseEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useNavigation } from 'react-router-dom'
import { onDemand } from '../components/on-demand.tsx'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { Footer } from './footer.tsx'
import { useNarrow } from './narrow.ts'
import './shell.css'
import { SideMenu } from './side-menu.tsx'
import { StatusFailure } from './status-failure.tsx'
import { TopBar } from './top-bar.tsx'

// Not for the pages before a login, which shall be there soon.
const MenuDrawer = onDemand(async () => (await import('./menu-drawer.tsx')).MenuDrawer)

/** Screens that are read, not worked with: they have no side menu. */
const WITHOUT_SIDE_MENU = ['/', '/about', '/login', '/register', '/reset', '/user/reset']

/** What stands around every page. */
export function Shell() {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const { pathname } = useLocation()
  const narrow = useNarrow()
  const arriving = useNavigation().state !== 'idle'
  const [menuOpen, setMenuOpen] = useState<boolean>() // undefined until it is wanted
  const main = useRef<HTMLElement>(null)
  const sided = user !== undefined && !narrow && !WITHOUT_SIDE_MENU.includes(pathname)

  // By hand: to the router another address would be another page, which a guard of unsaved changes knows nothing of.
  function skip(event: MouseEvent) {
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page, as the rule wants it to */}
      <a className="skip-link" href="#main" onClick={skip}>
        {t('layout.skip')}
      </a>
      <TopBar onOpenMenu={() => setMenuOpen(true)} />
      {menuOpen !== undefined && (
        <Suspense fallback={null}>
          <MenuDrawer visible={narrow && menuOpen} onClose={() => setMenuOpen(false)} />
        </Suspense>
      )}
      <div className="shell-body">
        {sided && <SideMenu />}
        <div className="shell-content">
          <main ref={main} id="main" className="shell-main" tabIndex={-1} aria-busy={arriving}>
            <StatusFailure />
            <Outlet />
          </main>
          <Footer />
        </div>
      </div>
    </div>
  )
}
