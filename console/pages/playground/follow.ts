import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Distance from the end at which new content scrolls into view. */
const NEAR_PX = 48

/** Keeps the end of a growing list in view, unless the user has scrolled up; `toEnd` scrolls back. */
export function useFollow(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const following = useRef(true)
  const [scrolledUp, setScrolledUp] = useState(false)

  const toEnd = useCallback(() => {
    following.current = true
    setScrolledUp(false)
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [box])

  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    let height = outer.scrollHeight
    const onScroll = () => {
      // Growth also fires scroll events: only with unchanged height has the user scrolled.
      if (outer.scrollHeight !== height) return
      following.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX
      setScrolledUp(!following.current)
    }
    const observer = new ResizeObserver(() => {
      height = outer.scrollHeight
      if (following.current) outer.scrollTo({ top: height })
    })
    observer.observe(inner)
    observer.observe(outer)
    outer.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', onScroll)
    }
  }, [box, content])

  return { away: scrolledUp, toEnd }
}
