import { useEffect, useRef, useState } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: accepts any function; each function keeps its type
type Handlers = Record<string, (...args: any[]) => unknown>

/**
 * Returns functions that are the same on every render, so that components that receive these functions do not rerender.
 * Each function calls the handler of the last render. Call the functions only in event handlers, not while rendering.
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
