/** One condition for readiness. */
export interface Check {
  readonly name: string
  /**
   * Returns a sentence that describes the problem, or undefined. A rejection means that the database could not be
   * queried.
   */
  run(): Promise<string | undefined>
}

export interface CheckResult {
  name: string
  status: 'ok' | 'failed'
  message?: string
}

/** Returns the results of all checks, at most `FRESH_MS` old. */
export type Readiness = () => Promise<readonly CheckResult[]>

/** Minimum interval between two runs of the checks, however many probes arrive. */
const FRESH_MS = 2000
/** Maximum duration of a check. A longer check fails. */
const WAIT_MS = 2500

/** Returns a function that runs the checks when a probe arrives. Concurrent probes share the results. */
export function createReadiness(
  checks: readonly Check[],
  { freshMs = FRESH_MS, waitMs = WAIT_MS }: { freshMs?: number; waitMs?: number } = {},
): Readiness {
  const running = new Map<Check, Promise<string | undefined>>()
  let results: Promise<readonly CheckResult[]> | undefined
  let freshUntil = 0

  /**
   * Starts a check, or returns its running promise, so that checks do not pile up while the database hangs.
   */
  function start(check: Check): Promise<string | undefined> {
    const run =
      running.get(check) ??
      check
        .run()
        .catch(() => 'The database could not be queried.')
        .finally(() => running.delete(check))
    running.set(check, run)
    return run
  }

  async function resultOf(check: Check): Promise<CheckResult> {
    const { name } = check
    const message = await withTimeout(waitMs, start(check))
    return message === undefined ? { name, status: 'ok' } : { name, status: 'failed', message }
  }

  return () => {
    if (!results || performance.now() >= freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY
      results = Promise.all(checks.map(resultOf))
      void results.then(() => {
        freshUntil = performance.now() + freshMs
      })
    }
    return results
  }
}

function withTimeout(ms: number, work: Promise<string | undefined>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(`The check did not end within ${ms} ms.`), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
