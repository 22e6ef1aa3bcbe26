import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'

const EVERY_MS = 60_000

/** Adds new log rows to the dashboard's hourly counts. */
export function usageHoursJob({ logs }: Pick<LocalToolkit, 'logs'>): Job {
  return {
    name: 'usage-hours',
    everyMs: EVERY_MS,
    async run(signal) {
      const count = await logs.rollUpUsage(signal)
      return count > 0 ? `${count} counted` : undefined
    },
  }
}
