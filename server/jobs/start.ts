import { hostname } from 'node:os'
import { randomHex } from '../../core/secrets.ts'
import { generalJobs, type JobParts, taskJobs } from './list.ts'
import { createJobRunner, type JobRunner } from './runner.ts'
import { createScheduler } from './scheduler.ts'

/** Leading is one right, polling tasks another: a process that may not poll must not keep others from it. */
const LEADER = 'scheduler'
const TASK_LEADER = 'task-scheduler'
const HOST_LENGTH_MAX = 30

export interface RunningJobs {
  /** For jobs that somebody asks for. */
  runner: JobRunner
  /** Gives the lead up, aborts what runs, and waits for it. */
  close(): Promise<void>
}

/** Takes part in the regular work from now on. */
export function startJobs(parts: JobParts): RunningJobs {
  const { logger } = parts
  const { jobs, leases } = parts.toolkit
  const node = `${hostname().slice(0, HOST_LENGTH_MAX)}/${process.pid}/${randomHex(6)}`
  const runner = createJobRunner({
    jobs,
    node,
    onFailure: (err, job) => logger.error({ err, job }, 'a job failed; its next turn tries again'),
  })
  const onFailure = (err: unknown) => logger.error({ err }, 'the scheduler could not look for its turns')
  const schedule = (lease: string, list: ReturnType<typeof generalJobs>) =>
    createScheduler({ lease, list, jobs, leases, runner, node, onFailure })
  const schedulers = [schedule(LEADER, generalJobs(parts))]
  if (parts.config.pollsTasks) schedulers.push(schedule(TASK_LEADER, taskJobs(parts)))
  for (const scheduler of schedulers) scheduler.start()
  return {
    runner,
    async close() {
      await Promise.all([...schedulers.map((scheduler) => scheduler.close()), runner.close()])
    },
  }
}
