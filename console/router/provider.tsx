import { type ComponentType, type ReactNode, startTransition, useLayoutEffect, useMemo, useState } from 'react'
import { PageBoundary } from './boundary.tsx'
import { PlaceContext, RouterContext } from './hooks.ts'
import type { Router } from './router.ts'

interface Props {
  router: Router
  /** Renders around every page. `arriving` is true while the code of another page is loading. */
  Layout: ComponentType<{ arriving: boolean; children: ReactNode }>
  /** Content in place of a page or a layout that throws while it renders. */
  failure: (error: unknown) => ReactNode
  /** Content until the code of the first page is loaded. */
  loading: ReactNode
}

/** Renders the page of the current location. */
export function RouterProvider({ router, Layout, failure, loading }: Props) {
  const [{ location, params, Page, next }, setState] = useState(router.get)
  useLayoutEffect(() => {
    setState(router.get())
    return router.subscribe(() => startTransition(() => setState(router.get())))
  }, [router])
  const place = useMemo(() => ({ location, params }), [location, params])
  return (
    <RouterContext value={router}>
      <PlaceContext value={place}>
        {Page ? (
          <PageBoundary location={location} failure={failure}>
            <Layout arriving={next !== undefined}>
              {/* If only the page throws, the menus remain usable. */}
              <PageBoundary location={location} failure={failure}>
                <Page />
              </PageBoundary>
            </Layout>
          </PageBoundary>
        ) : (
          loading
        )}
      </PlaceContext>
    </RouterContext>
  )
}
