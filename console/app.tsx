import ConfigProvider from '@arco-design/web-react/es/ConfigProvider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Fragment, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { createBrowserRouter, Navigate, Outlet, RouterProvider } from 'react-router-dom'
import { arcoLocale } from './language.ts'
import { PageFailure } from './layout/page-failure.tsx'
import { Shell } from './layout/shell.tsx'
import { session } from './session.ts'
import { useStore } from './store.ts'

const LoginPage = lazy(() => import('./pages/login/index.tsx'))
const OverviewPage = lazy(() => import('./pages/overview/index.tsx'))
const NotFoundPage = lazy(() => import('./pages/not-found/index.tsx'))

/** Lets the signed-in pass. A page starts anew when another user comes, so it cannot keep what it had loaded. */
function SignedIn() {
  const { user, expired } = useStore(session)
  if (!user) return <Navigate to={expired ? '/login?expired=true' : '/login'} replace />
  return (
    <Fragment key={user.id}>
      <Outlet />
    </Fragment>
  )
}

const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <PageFailure />,
    children: [
      {
        errorElement: <PageFailure />,
        children: [
          { path: '/login', element: <LoginPage /> },
          { element: <SignedIn />, children: [{ path: '/', element: <OverviewPage /> }] },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
])

export function App({ queryClient }: { queryClient: QueryClient }) {
  useTranslation() // renders again when the language changes
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider locale={arcoLocale()}>
        <RouterProvider router={router} />
      </ConfigProvider>
    </QueryClientProvider>
  )
}
