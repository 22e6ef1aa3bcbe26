import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Distance from the end in pixels. While the user is closer to the end, the list scrolls to new content. */
const NEAR_PX = 48

/**
 * Keeps the end of a growing list in view, unless the user has scrolled up. `away` is true after the user has scrolled up, and
 * `toEnd` scrolls to the end.
 */
export function useFollowEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true)
  const [scrolledUp, setScrolledUp] = useState(false)

  const toEnd = useCallback(() => {
    isFollowing.current = true
    setScrolledUp(false)
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [box])

  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    let height = outer.scrollHeight
    const onScroll = () => {
      // Growth also causes scroll events. Only if the height is unchanged, the user has scrolled.
      if (outer.scrollHeight !== height) return
      isFollowing.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX
      setScrolledUp(!isFollowing.current)
    }
    const observer = new ResizeObserver(() => {
      height = outer.scrollHeight
      if (isFollowing.current) outer.scrollTo({ top: height })
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
