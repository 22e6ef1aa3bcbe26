import { useEffect, useRef, useState } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: accepts any function; each keeps its type
type Handlers = Record<string, (...args: any[]) => unknown>

/**
 * Returns the same functions on every render, each calling its newest version, so that components that receive them do not
 * rerender. Only for event handlers, not for rendering.
 */
export function useStableHandlers<Named extends Handlers>(handlers: Named): Named {
  const newest = useRef(handlers)
  useEffect(() => {
    newest.current = handlers
  })
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(handlers).map((name) => [name, (...args: unknown[]) => newest.current[name]?.(...args)]),
      ) as Named,
  )
  return stable
}
