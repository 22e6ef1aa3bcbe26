import { useEffect, useRef, useState } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: accepts any function; each keeps its type
type Acts = Record<string, (...args: any[]) => unknown>

/**
 * Returns the same functions on every render, each calling its newest version, so that components that receive them do not
 * rerender. Only for event handlers, not for rendering.
 */
export function useStableActs<Named extends Acts>(acts: Named): Named {
  const newest = useRef(acts)
  useEffect(() => {
    newest.current = acts
  })
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(acts).map((name) => [name, (...args: unknown[]) => newest.current[name]?.(...args)]),
      ) as Named,
  )
  return stable
}
