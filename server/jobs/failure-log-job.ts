import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'

const EVERY_MS = 3600_000
const DAY_S = 86_400

/** Deletes rows of failed relays older than the option's age. */
export function failureLogJob({ logs, options }: Pick<LocalToolkit, 'logs' | 'options'>): Job {
  return {
    name: 'error-log',
    everyMs: EVERY_MS,
    async run() {
      const days = options.get(OPTIONS.ErrorLogRetentionDays)
      if (days === 0) return undefined
      const count = await logs.removeFailures(Math.floor(Date.now() / 1000) - days * DAY_S)
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
