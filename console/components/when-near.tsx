import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Distance from the visible area at which the children are rendered, in pixels. */
const NEAR_PX = 400

interface Props {
  /** A placeholder of about the same height, to avoid layout shifts. */
  fallback: ReactNode
  children: ReactNode
}

/** Renders its children when the user scrolls near them, and keeps them from then on. For expensive parts of long pages. */
export function WhenNear({ fallback, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)

  useEffect(() => {
    if (near || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: `${NEAR_PX}px` },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [near])

  return near ? children : <div ref={place}>{fallback}</div>
}
