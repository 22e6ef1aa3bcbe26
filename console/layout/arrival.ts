import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useRouter } from '../router/hooks.ts'
import type { PageLocation } from '../router/location.ts'

/** Matches the end of the path of a drawer over a list. The list behind the drawer must keep its scroll position. */
const DRAWER = /\/(add|edit\/[^/]+)\/*$/i

/**
 * After a navigation to another page, scrolls to the top. Also focuses the page if the focused element is gone. After back and
 * forward, the browser restores position and focus.
 */
export function useScrollReset(main: RefObject<HTMLElement | null>): void {
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
