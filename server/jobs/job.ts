/** A background job. A lease limits it to one run at a time, in one process. */
export interface Job {
  /** Kebab-case name. It is the key of the job's row in `jobs`. */
  name: string
  /** Milliseconds between starts, rounded to seconds. A start that is due during a run is skipped. */
  everyMs: number
  /**
   * Runs the job once. Must end early when `signal` aborts, because the gateway stops or this process has lost the
   * lease. The list of jobs shows the returned text or the error. An error is logged unless it equals the error of the
   * last run. The next run retries.
   *
   * A lease decides which process runs the job. After a suspension, a process may still act on a lease that it has
   * lost. So each statement must check that no other process has already changed the row.
   */
  run(signal: AbortSignal): Promise<string | undefined>
}
