import type { Retention } from '../../core/retention.ts'
import type { Job } from './job.ts'

/** Only whole days are deleted: most runs find nothing, and a failed run is repeated within the hour. */
const EVERY_MS = 3600_000

/** Archives and deletes log rows older than the options' age. */
export function logRetentionJob(retention: Pick<Retention, 'removeLogs'>): Job {
  return {
    name: 'log-retention',
    everyMs: EVERY_MS,
    async run(signal) {
      const count = await retention.removeLogs(signal)
      return count > 0 ? `${count} removed` : undefined
    },
  }
}

/** Deletes finished drawings and tasks older than the option's age. */
export function taskRetentionJob(retention: Pick<Retention, 'removeTasks'>): Job {
  return {
    name: 'task-retention',
    everyMs: EVERY_MS,
    async run(signal) {
      const count = await retention.removeTasks(signal)
      return count > 0 ? `${count} removed` : undefined
    },
  }
}

/** On PostgreSQL, creates the log's partitions of the next months, and drops empty ones of past months. */
export function logPartitionsJob(retention: Pick<Retention, 'keepLogPartitions'>): Job {
  return {
    name: 'log-partitions',
    everyMs: EVERY_MS,
    async run() {
      const { created, dropped } = await retention.keepLogPartitions()
      return created + dropped > 0 ? `${created} created, ${dropped} dropped` : undefined
    },
  }
}
