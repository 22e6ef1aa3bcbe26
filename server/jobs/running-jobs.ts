import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { randomHex } from '../../core/secrets.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'
import { createJobRunner } from './runner.ts'
import { createScheduler } from './scheduler.ts'

/** Names of the two leases. The leader of the general jobs may be a process that may not poll tasks. */
const LEADER = 'scheduler'
const TASK_LEADER = 'task-scheduler'
const HOST_LENGTH_MAX = 30

export function createRunningJobs({
  toolkit: { jobs, leases },
  logger,
}: {
  toolkit: Pick<LocalToolkit, 'jobs' | 'leases'>
  logger: Logger
}) {
  const node = `${hostname().slice(0, HOST_LENGTH_MAX)}/${process.pid}/${randomHex(6)}`
  const runner = createJobRunner({
    jobs,
    node,
    onFailure: (err, job) => logger.error({ err, job }, 'job failed; its next run retries'),
  })
  const onFailure = (err: unknown) => logger.error({ err }, 'the scheduler failed to start due jobs')
  const schedulers: ReturnType<typeof createScheduler>[] = []

  function lead(lease: string, list: readonly Job[]): void {
    const scheduler = createScheduler({ lease, list, jobs, leases, runner, node, onFailure })
    schedulers.push(scheduler)
    scheduler.start()
  }

  return {
    runner,
    /** Starts the schedulers. Without `tasks`, only general jobs run. */
    start({ general, tasks }: { general: readonly Job[]; tasks?: readonly Job[] | undefined }): void {
      lead(LEADER, general)
      if (tasks) lead(TASK_LEADER, tasks)
    },
    /** Releases the leases, aborts all runs, and waits for them. */
    async close(): Promise<void> {
      await Promise.all([...schedulers.map((scheduler) => scheduler.close()), runner.close()])
    },
  }
}
