import type { Logs } from '../../core/logs/logs.ts'
import type { Job } from './job.ts'

const EVERY_MS = 60_000

/** Finishes log clearings whose process died: writes the deleted sums as ledger entries. */
export function logClearJob(logs: Pick<Logs, 'finishClears'>): Job {
  return {
    name: 'log-clear',
    everyMs: EVERY_MS,
    async run() {
      const count = await logs.finishClears()
      return count > 0 ? `${count} finished` : undefined
    },
  }
}
