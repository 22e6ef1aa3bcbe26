import type { Limits } from '../../core/limits/limits.ts'
import type { Job } from './job.ts'

const EVERY_MS = 3600_000

/** Deletes counts of expired limit windows. */
export function limitWindowsJob(limits: Pick<Limits, 'removeOldWindows'>): Job {
  return {
    name: 'limit-windows',
    everyMs: EVERY_MS,
    async run() {
      const count = await limits.removeOldWindows()
      return count > 0 ? `${count} removed` : undefined
    },
  }
}
