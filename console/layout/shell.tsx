import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../components/on-demand.tsx'
import { useLocation } from '../router/hooks.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { useScrollReset } from './arrival.ts'
import { Footer } from './footer.tsx'
import { useNarrow } from './narrow.ts'
import './shell.css'
import { SideMenu } from './side-menu.tsx'
import { StatusFailure } from './status-failure.tsx'
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

  // Do not follow the link: the router would treat it as a navigation, and cancel a navigation whose page is loading.
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
