import {
  Component,
  type ComponentType,
  type ReactNode,
  startTransition,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { PlaceContext, RouterContext } from './hooks.ts'
import type { PageLocation } from './location.ts'
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

interface PageBoundaryProps {
  /** After a navigation, the boundary renders its children again. */
  location: PageLocation
  failure: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  location: PageLocation
  failed: { error: unknown } | undefined
}

/** Shows `failure` instead of children that throw while they render. */
class PageBoundary extends Component<PageBoundaryProps, State> {
  override state: State = { location: this.props.location, failed: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ location }: PageBoundaryProps, state: State): State | null {
    return location === state.location ? null : { location, failed: undefined }
  }

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.failure(failed.error) : this.props.children
  }
}
