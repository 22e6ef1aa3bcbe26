import ConfigProvider from '@arco-design/web-react/es/ConfigProvider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Access, mayOpen } from './access.ts'
import { closeDialogs } from './close-dialogs.ts'
import { plainNumber } from './components/plain-number.ts'
import { FIRST_SCREEN } from './first-screen.ts'
import { arcoLocale, loadAllTexts } from './language.ts'
import { DeadEnd } from './layout/dead-end.tsx'
import { PageFailure } from './layout/page-failure.tsx'
import { PageLoading } from './layout/page-loading.tsx'
import { Shell } from './layout/shell.tsx'
import { isReachable, isReplaced, loadWithRetry, reloadTo } from './load-with-retry.ts'
import { loginPath } from './return-path.ts'
import { useLocation } from './router/hooks.ts'
import { Link, Navigate } from './router/link.tsx'
import { pathOf } from './router/location.ts'
import { RouterProvider } from './router/provider.tsx'
import { createRouter } from './router/router.ts'
import { SCREENS, type Screen } from './screens.tsx'
import { session } from './session.ts'
import { useStore } from './store.ts'

/** Renders the page if the user has access. It remounts for another user, so that no loaded data remains. */
function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { user, expired } = useStore(session)
  const place = useLocation()
  const [wasSignedIn] = useState(user !== undefined)
  if (access !== 'anyone' && !user) {
    // A user who has just signed out should not return to this page.
    const to = wasSignedIn && !expired ? '/login' : loginPath(place, { expired })
    return <Navigate to={to} />
  }
  if (!mayOpen(user, access)) return <Forbidden />
  return <Fragment key={user?.id ?? 'visitor'}>{children}</Fragment>
}

/**
 * The router loads pages, not React, because React delays content it has suspended for by a third of a second. All paths of
 * a screen share one component, so that it keeps its state between them.
 */
function loaded({ access, load, entry = false }: Pick<Screen, 'access' | 'load' | 'entry'>) {
  let hasFailed = false
  return async (): Promise<ComponentType> => {
    const again = hasFailed ? router.get().next : undefined
    try {
      const [{ default: Page }] = await Promise.all([loadWithRetry(load), entry || loadAllTexts()])
      return () => (
        <Guard access={access}>
          <Page />
        </Guard>
      )
    } catch (error) {
      hasFailed = true
      // After an upgrade, reload the requested page. So too if it fails again: until a reload, browsers may not request a
      // failed file again. Nothing is lost, since the user has already left this one.
      const canReload = await (again ? isReachable() : isReplaced())
      const { next, location } = router.get()
      const isLeft = again !== undefined && again !== next
      if (canReload && !isLeft && reloadTo(pathOf(next ?? location))) await new Promise(() => {}) // until the browser reloads
      throw error
    }
  }
}

const router = createRouter(
  SCREENS.flatMap((screen) => {
    const load = loaded(screen)
    return screen.paths.map((path) => ({ path, load }))
  }),
  loaded({ access: 'anyone', entry: true, load: () => import('./pages/not-found.tsx') }),
)

// Also covers public pages: their guard would keep the page, with data of the ended session.
session.subscribe(() => {
  const { location } = router.get()
  if (!session.get().expired) return
  const to = loginPath(location, { expired: true })
  if (to !== pathOf(location)) void router.navigate(to, { replace: true })
})

// Close dialogs on navigation, but not when a page replaces its URL, as filters do.
let currentLocation = router.get().location
router.subscribe(() => {
  const { location, action } = router.get()
  if (location === currentLocation) return
  const isAnother = location.pathname !== currentLocation.pathname || action !== 'replace'
  currentLocation = location
  if (isAnother) void closeDialogs()
})

const COMPONENTS = { InputNumber: { parser: plainNumber } }

export function App({ queryClient }: { queryClient: QueryClient }) {
  useTranslation() // renders again when the language changes
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider locale={arcoLocale()} componentConfig={COMPONENTS}>
        <RouterProvider
          router={router}
          Layout={Shell}
          failure={(error) => <PageFailure error={error} />}
          loading={<PageLoading />}
        />
      </ConfigProvider>
    </QueryClientProvider>
  )
}

/** Replaces a screen for administrators. */
function Forbidden() {
  const { t } = useTranslation()
  return (
    <DeadEnd code={403} title={t('page.forbidden')} hint={t('page.forbiddenHint')}>
      <Link to={FIRST_SCREEN}>{t('screen.token')}</Link>
    </DeadEnd>
  )
}
