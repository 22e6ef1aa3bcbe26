import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns the current width of an element in whole pixels; undefined until it is mounted. */
export function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    setWidth(Math.floor(measured.clientWidth))
    const observer = new ResizeObserver(() => setWidth(Math.floor(measured.clientWidth)))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}
