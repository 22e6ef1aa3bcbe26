import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Distance from the visible area at which the children are rendered, in pixels. */
const NEAR_PX = 400

interface Props {
  /** A placeholder of about the same height, to avoid layout shifts. */
  fallback: ReactNode
  children: ReactNode
}

/** Renders its children once the user scrolls near them. For expensive parts of long pages. */
export function WhenNear({ fallback, children }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)

  useEffect(() => {
    if (isNear || !container.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true)
      },
      { rootMargin: `${NEAR_PX}px` },
    )
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [isNear])

  return isNear ? children : <div ref={container}>{fallback}</div>
}
