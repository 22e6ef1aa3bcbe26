/** A job: one process runs it, one run at a time. */
export interface Job {
  /** Kebab-case name; the row in `jobs`. */
  name: string
  /** Milliseconds between starts, rounded to seconds. A start that is due during a run is skipped. */
  everyMs: number
  /**
   * Runs the job once. Ends early when `signal` aborts: the gateway stops, or this process lost the lease. The list of jobs shows
   * the returned text or the error; an error is logged unless the last run failed the same way. The next run retries.
   *
   * A lease decides which process runs the job. After a suspension, a process may act on a lease that it no longer holds. Each
   * effect must therefore check its own row in the same statement.
   */
  run(signal: AbortSignal): Promise<string | undefined>
}
