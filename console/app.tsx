import ConfigProvider from '@arco-design/web-react/es/ConfigProvider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { createBrowserRouter, createPath, Navigate, RouterProvider } from 'react-router-dom'
import { type Access, mayOpen } from './access.ts'
import { closeDialogs } from './close-dialogs.ts'
import { plainNumber } from './components/plain-number.ts'
import { arcoLocale, loadAllTexts } from './language.ts'
import { Forbidden } from './layout/forbidden.tsx'
import { PageFailure } from './layout/page-failure.tsx'
import { PageLoading } from './layout/page-loading.tsx'
import { Shell } from './layout/shell.tsx'
import { SCREENS, type Screen } from './screens.tsx'
import { session } from './session.ts'
import { useStore } from './store.ts'

/** The login page, which then says that the session has ended. */
const LOGIN_AGAIN = '/login?expired=true'

/** Lets those pass who may. A page starts anew when another user comes, so it cannot keep what it had loaded. */
function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { user, expired } = useStore(session)
  if (access !== 'anyone' && !user) {
    return <Navigate to={expired ? LOGIN_AGAIN : '/login'} replace />
  }
  if (!mayOpen(user, access)) return <Forbidden />
  return <Fragment key={user?.id ?? 'nobody'}>{children}</Fragment>
}

/**
 * Loaded by the router, not by React: what React has waited for it holds back for a third of a second. All addresses of
 * a screen are one component, so that a screen keeps what it has between them.
 */
function loaded({ access, load, entry = false }: Pick<Screen, 'access' | 'load' | 'entry'>) {
  let loading: Promise<{ Component: ComponentType }> | undefined
  return () => {
    loading ??= Promise.all([load(), entry || loadAllTexts()]).then(
      ([{ default: Page }]) => ({
        Component: () => (
          <Guard access={access}>
            <Page />
          </Guard>
        ),
      }),
      // Thrown where the page would be, not here: of a route whose code does not load the router shows nothing at all.
      (error: unknown) => ({
        Component: () => {
          throw error
        },
      }),
    )
    return loading
  }
}

const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <PageFailure />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      // One of its own for each screen: a screen that breaks leaves the menus alone.
      ...SCREENS.flatMap((screen) => {
        const lazy = loaded(screen)
        return screen.paths.map((path) => ({ path, errorElement: <PageFailure />, lazy }))
      }),
      {
        path: '*',
        errorElement: <PageFailure />,
        lazy: loaded({ access: 'anyone', entry: true, load: () => import('./pages/not-found/index.tsx') }),
      },
    ],
  },
])

// Also from a page that anyone may open: a guard would let it stay, with data that nobody gave it.
session.subscribe(() => {
  if (!session.get().expired || createPath(router.state.location) === LOGIN_AGAIN) return
  void router.navigate(LOGIN_AGAIN, { replace: true })
})

// What was asked or shown on a page is about that page; what changes its address by itself, as a typed filter, leaves it there.
let shown = router.state.location
router.subscribe(({ location, historyAction }) => {
  if (location === shown) return
  const isAnother = location.pathname !== shown.pathname || historyAction !== 'REPLACE'
  shown = location
  if (isAnother) void closeDialogs()
})

const COMPONENTS = { InputNumber: { parser: plainNumber } }

export function App({ queryClient }: { queryClient: QueryClient }) {
  useTranslation() // renders again when the language changes
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider locale={arcoLocale()} componentConfig={COMPONENTS}>
        <RouterProvider router={router} />
      </ConfigProvider>
    </QueryClientProvider>
  )
}
