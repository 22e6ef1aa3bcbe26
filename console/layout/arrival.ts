import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useRouter } from '../router/hooks.ts'
import type { Location } from '../router/location.ts'

/** Lists open a record in a drawer at such a path below their own, and keep their place behind it. */
const DRAWER = /\/(add|edit\/[^/]+)\/*$/i

/**
 * Starts another page at its top, and moves the focus into it if the focused element is gone. After back and forward the
 * browser restores both.
 */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  const location = useLocation()
  const last = useRef(location)
  useLayoutEffect(() => {
    const from = last.current
    last.current = location
    if (router.get().action === 'pop' || isSamePage(from, location)) return
    window.scrollTo(0, 0)
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [router, location, main])
}

function isSamePage(one: Location, other: Location): boolean {
  const pathOf = ({ pathname }: Location) => pathname.replace(DRAWER, '')
  const tabOf = ({ search }: Location) => new URLSearchParams(search).get('tab')
  return pathOf(one) === pathOf(other) && tabOf(one) === tabOf(other)
}
