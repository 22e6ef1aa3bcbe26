import { useCallback, useEffect, useRef, useState } from 'react'
import { GatewayError } from '../../core/errors.ts'
import { failureOf, isSignedOut } from '../errors.ts'
import { ServerBusy } from '../remote/rate-limit.ts'
import { ENGLISH } from '../texts.ts'
import { useUi } from './ui-context.ts'

interface Loaded<T> {
  /** The latest data, also while reloading. */
  data: T | undefined
  /** Error of the latest load. */
  error: unknown
  loading: boolean
  /** Reloads now, with a new session if the old one has ended. */
  reload(): void
}

/** Maximum delay of a retry. */
const RETRY_MS_MAX = 15_000
/** Delay after a rate limit without Retry-After. */
const BUSY_MS = 60_000

/**
 * Loads at once, again when `load` changes, and again `everyMs` after each reply. After a failure, loads again after a
 * backoff or Retry-After, unless the session has ended. While `hidden`, starts no timers. Runs one call at a time for
 * each `load`, and ignores replies to an old `load`.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  { everyMs, hidden = false }: { everyMs?: number | undefined; hidden?: boolean } = {},
): Loaded<T> {
  const { intervals, signInAgain } = useUi()
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, error: undefined, loading: true })
  const rerun = useRef<() => void>(() => {})
  const reschedule = useRef<() => void>(() => {})
  const latestOptions = useRef({ everyMs, hidden, retryMs: intervals.retry })
  latestOptions.current = { everyMs, hidden, retryMs: intervals.retry }

  useEffect(() => {
    let timer: NodeJS.Timeout | undefined
    let isEnded = false
    let isRunning = false
    let needsRerun = false
    let failures = 0
    let lastOutcome: { at: number; error?: unknown } | undefined

    async function run(): Promise<void> {
      if (isRunning) {
        needsRerun = true
        return
      }
      isRunning = true
      clearTimeout(timer)
      const outcome = await load().then(
        (data) => ({ data, error: undefined }),
        (error: unknown) => ({ error: error ?? new Error('failed') }),
      )
      isRunning = false
      if (isEnded) return
      failures = outcome.error === undefined ? 0 : failures + 1
      lastOutcome = { at: Date.now(), error: outcome.error }
      setState((before) => ({ ...before, ...outcome, loading: false }))
      if (needsRerun) {
        needsRerun = false
        return run()
      }
      schedule()
    }
    function schedule(): void {
      clearTimeout(timer)
      if (isRunning || isEnded || lastOutcome === undefined || latestOptions.current.hidden) return
      const { everyMs, retryMs } = latestOptions.current
      const wait = lastOutcome.error === undefined ? everyMs : waitAfter(lastOutcome.error, { failures, retryMs })
      if (wait !== undefined) timer = setTimeout(run, Math.max(0, lastOutcome.at + wait - Date.now()))
    }
    rerun.current = () => void run()
    reschedule.current = schedule
    setState((before) => ({ ...before, loading: true }))
    void run()
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [load])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the next load depends on these values.
  useEffect(() => reschedule.current(), [everyMs, hidden])

  const signedOut = isSignedOut(state.error)
  const reload = useCallback(() => (signedOut ? signInAgain() : rerun.current()), [signedOut, signInAgain])
  return { ...state, reload }
}

/** Returns the milliseconds until a retry; undefined if a retry cannot help. */
function waitAfter(error: unknown, { failures, retryMs }: { failures: number; retryMs: number }): number | undefined {
  if (isSignedOut(error)) return undefined
  const seconds =
    error instanceof ServerBusy
      ? error.retryAfterSeconds
      : error instanceof GatewayError
        ? Number(error.params.retryAfterSeconds)
        : Number.NaN
  if (seconds > 0) return Math.max(retryMs, seconds * 1000)
  const { code } = failureOf(error, ENGLISH)
  if (code === 'SERVER_BUSY' || code === 'RATE_LIMITED') return BUSY_MS
  return Math.min(retryMs * 2 ** (failures - 1), Math.max(retryMs, RETRY_MS_MAX))
}
