import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { Footer } from './footer.tsx'
import { PageLoading } from './page-loading.tsx'
import { TopBar } from './top-bar.tsx'

/** What stands around every page. */
export function Shell() {
  return (
    <div className="shell">
      <TopBar />
      <main className="shell-main">
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
    </div>
  )
}
