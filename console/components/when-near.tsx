import { type ReactNode, useEffect, useRef, useState } from 'react'

/** How far below or above what is seen, in pixels. */
const NEAR_PX = 400

interface Props {
  /** What stands there until then: of about the same height, so that nothing jumps. */
  fallback: ReactNode
  children: ReactNode
}

/** Renders its children once they are scrolled near to, and keeps them from then on: for what is costly, on long pages. */
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
