import Button from '@arco-design/web-react/es/Button'
import ConfigProvider from '@arco-design/web-react/es/ConfigProvider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayOpen, type ScreenAccess } from './access.ts'
import { closeDialogs } from './close-dialogs.ts'
import { plainNumber } from './components/plain-number.ts'
import { useTitle } from './components/title.ts'
import { FIRST_SCREEN } from './first-screen.ts'
import { arcoLocale, loadAllTexts } from './language.ts'
import { DeadEnd } from './layout/dead-end.tsx'
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

/** Renders the page if the user has access. If the user changes, the page remounts without the previous user's data. */
function Guard({ access, children }: { access: ScreenAccess; children: ReactNode }) {
  const { user, expired } = useStore(session)
  const location = useLocation()
  const [wasSignedIn] = useState(user !== undefined)
  if (access !== 'anyone' && !user) {
    // A user who has just signed out should not return to this page.
    const to = wasSignedIn && !expired ? '/login' : loginPath(location, { expired })
    return <Navigate to={to} />
  }
  if (!mayOpen(user, access)) return <Forbidden />
  return <Fragment key={user?.id ?? 'visitor'}>{children}</Fragment>
}

/**
 * Returns the function with which the router loads a screen. The router, not React, loads pages, because React delays
 * suspended content by a third of a second. All paths of a screen use one component, so that the screen keeps its state
 * between the paths.
 */
function loaderOf({ access, load, entry = false }: Pick<Screen, 'access' | 'load' | 'entry'>) {
  let hasFailed = false
  return async (): Promise<ComponentType> => {
    const retryTarget = hasFailed ? router.get().next : undefined
    try {
      const [{ default: Page }] = await Promise.all([loadWithRetry(load), entry || loadAllTexts()])
      return () => (
        <Guard access={access}>
          <Page />
        </Guard>
      )
    } catch (error) {
      hasFailed = true
      // If the gateway was upgraded, reload at the requested page. Reload also after a second failure, because browsers
      // may not request a failed file again before a reload. No input is lost, because the user has already left the
      // previous page.
      const canReload = await (retryTarget ? isReachable() : isReplaced())
      const { next, location } = router.get()
      const isLeft = retryTarget !== undefined && retryTarget !== next
      // Never resolves, because the browser reloads the page.
      if (canReload && !isLeft && reloadTo(pathOf(next ?? location))) await new Promise(() => {})
      throw error
    }
  }
}

const router = createRouter(
  SCREENS.flatMap((screen) => {
    const load = loaderOf(screen)
    return screen.paths.map((path) => ({ path, load }))
  }),
  loaderOf({ access: 'anyone', entry: true, load: () => import('./pages/not-found.tsx') }),
)

// If the session ends, go to the login page from public pages, too. A public page would still show data of the ended
// session.
session.subscribe(() => {
  const { location } = router.get()
  if (!session.get().expired) return
  const to = loginPath(location, { expired: true })
  if (to !== pathOf(location)) void router.navigate(to, { replace: true })
})

// Close dialogs after a navigation. Keep them open if a page only replaces its own URL, such as after a filter change.
let currentLocation = router.get().location
router.subscribe(() => {
  const { location, action } = router.get()
  if (location === currentLocation) return
  const isOtherPage = location.pathname !== currentLocation.pathname || action !== 'replace'
  currentLocation = location
  if (isOtherPage) void closeDialogs()
})

const COMPONENTS = { InputNumber: { parser: plainNumber } }

export function App({ queryClient }: { queryClient: QueryClient }) {
  useTranslation() // rerenders when the language changes
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

/** Replaces a screen that requires a higher role. */
function Forbidden() {
  const { t } = useTranslation()
  return (
    <DeadEnd code={403} title={t('page.forbidden')} hint={t('page.forbiddenHint')}>
      <Link to={FIRST_SCREEN}>{t('screen.token')}</Link>
    </DeadEnd>
  )
}

/** Replaces a page that threw an error while it rendered, or whose files failed to load. */
function PageFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isUnloaded = error instanceof Error && LOAD_FAILED.test(error.message)
  const title = t(isUnloaded ? 'page.unloaded' : 'page.failed')
  useTitle(title)
  return (
    <div className="page-centre" role="alert">
      <h1>{title}</h1>
      <p>{t(isUnloaded ? 'page.unloadedHint' : 'page.failedHint')}</p>
      <Button type="primary" onClick={() => window.location.reload()}>
        {t('page.reload')}
      </Button>
    </div>
  )
}

/** Matches the browsers' messages for a script that failed to load, and Vite's message for a style sheet. */
const LOAD_FAILED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/
