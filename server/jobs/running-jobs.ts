import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { randomHex } from '../../core/secrets.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'
import { createJobRunner, type JobRunner } from './runner.ts'
import { createScheduler } from './scheduler.ts'

/** Leading is one right, polling tasks another: a process that may not poll must not keep others from it. */
const LEADER = 'scheduler'
const TASK_LEADER = 'task-scheduler'
const HOST_LENGTH_MAX = 30

export interface RunningJobs {
  /** For jobs that somebody asks for. */
  runner: JobRunner
  /** Takes part in the regular work from now on; without `tasks`, only in the general one. */
  start(list: { general: readonly Job[]; tasks?: readonly Job[] | undefined }): void
  /** Gives the lead up, aborts what runs, and waits for it. */
  close(): Promise<void>
}

export function createRunningJobs({
  toolkit: { jobs, leases },
  logger,
}: {
  toolkit: Pick<LocalToolkit, 'jobs' | 'leases'>
  logger: Logger
}): RunningJobs {
  const node = `${hostname().slice(0, HOST_LENGTH_MAX)}/${process.pid}/${randomHex(6)}`
  const runner = createJobRunner({
    jobs,
    node,
    onFailure: (err, job) => logger.error({ err, job }, 'a job failed; its next turn tries again'),
  })
  const onFailure = (err: unknown) => logger.error({ err }, 'the scheduler could not look for its turns')
  const schedulers: ReturnType<typeof createScheduler>[] = []

  function lead(lease: string, list: readonly Job[]): void {
    const scheduler = createScheduler({ lease, list, jobs, leases, runner, node, onFailure })
    schedulers.push(scheduler)
    scheduler.start()
  }

  return {
    runner,
    start({ general, tasks }) {
      lead(LEADER, general)
      if (tasks) lead(TASK_LEADER, tasks)
    },
    async close() {
      await Promise.all([...schedulers.map((scheduler) => scheduler.close()), runner.close()])
    },
  }
}
