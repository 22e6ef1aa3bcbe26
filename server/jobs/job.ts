/** Regular work: one process of all does it, one run at a time. */
export interface Job {
  /** Kebab-case; the row in `jobs`. */
  name: string
  /** From one start to the next, in whole seconds. A turn that comes while the job still runs is passed over. */
  everyMs: number
  /**
   * Does the work once. Ends early when `signal` aborts: the gateway stops, or this process was taken for dead. What it says
   * stands in the list of jobs; what it throws, too, and is logged unless the last run threw the same. The next turn tries again.
   *
   * Which process runs it is decided by a lease, and a process that slept still believes that it has one: guard each effect
   * by its own row, in the statement that makes it.
   */
  run(signal: AbortSignal): Promise<string | undefined>
}
