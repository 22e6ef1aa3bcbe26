import { useCallback, useEffect, useRef, useState } from 'react'

export interface Loaded<T> {
  /** What came last, also while something newer is on its way. */
  data: T | undefined
  /** Why it could not be had the last time. */
  error: unknown
  loading: boolean
  reload(): void
}

/**
 * Loads at once, again when `load` is another, and `everyMs` after each answer; sooner, after `retryMs`, while it fails. There is
 * never more than one call under way for the same `load`, and an answer that nobody waits for any more is dropped.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  { everyMs, retryMs }: { everyMs?: number | undefined; retryMs: number },
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, error: undefined, loading: true })
  const again = useRef<() => void>(() => {})

  useEffect(() => {
    let timer: NodeJS.Timeout | undefined
    let gone = false
    let running = false
    let wanted = false

    async function run(): Promise<void> {
      if (running) {
        wanted = true
        return
      }
      running = true
      clearTimeout(timer)
      const outcome = await load().then(
        (data) => ({ data, error: undefined }),
        (error: unknown) => ({ error: error ?? new Error('failed') }),
      )
      running = false
      if (gone) return
      setState((before) => ({ ...before, ...outcome, loading: false }))
      if (wanted) {
        wanted = false
        return run()
      }
      const wait = outcome.error === undefined ? everyMs : retryMs
      if (wait !== undefined) timer = setTimeout(run, wait)
    }
    again.current = () => void run()
    setState((before) => ({ ...before, loading: true }))
    void run()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [load, everyMs, retryMs])

  const reload = useCallback(() => again.current(), [])
  return { ...state, reload }
}
