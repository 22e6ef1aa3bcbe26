import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Job } from './job.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_S = 86_400

/** Returns the jobs that call one function of the toolkit and report how many rows it handled. */
export function countingJobs(toolkit: LocalToolkit): Job[] {
  const { limits, logs, notices, options, quotaReminders, relayOutcomes, retention, storedObjects } = toolkit
  return [
    countingJob('quota-reminder', MINUTE_MS / 2, 'reminded', (signal) => quotaReminders.send(signal)),
    // Finishes interrupted deletions of log rows. Records the sums of the deleted rows as ledger entries.
    countingJob('log-clear', MINUTE_MS, 'finished', () => logs.finishClears()),
    countingJob('error-log', HOUR_MS, 'removed', () => {
      const days = options.get(OPTIONS.ErrorLogRetentionDays)
      return days === 0 ? 0 : logs.removeFailures(Math.floor(Date.now() / 1000) - days * DAY_S)
    }),
    // Retention periods are in days, so most runs find nothing. The job runs hourly to retry soon after a failed run.
    countingJob('log-retention', HOUR_MS, 'removed', (signal) => retention.removeLogs(signal)),
    countingJob('task-retention', HOUR_MS, 'removed', (signal) => retention.removeTasks(signal)),
    countingJob('log-partitions', HOUR_MS, 'changed', () => retention.keepLogPartitions()),
    countingJob('relay-outcomes', HOUR_MS, 'removed', () => relayOutcomes.trim()),
    countingJob('stored-objects', HOUR_MS, 'removed', () => storedObjects.trim()),
    countingJob('stored-responses', 10 * MINUTE_MS, 'removed', () => trimStoredResponses(toolkit)),
    countingJob('usage-hours', MINUTE_MS, 'counted', (signal) => logs.rollUpUsage(signal)),
    countingJob('limit-windows', HOUR_MS, 'removed', () => limits.removeOldWindows()),
    countingJob('notice-thresholds', MINUTE_MS / 2, 'reached', async (signal) => {
      return (await notices.levels.check(signal)).notices
    }),
    countingJob('notice-trim', HOUR_MS, 'removed', (signal) => notices.removeOld(signal)),
  ]
}

/**
 * Returns a job whose result is the count and `outcome`, such as "3 removed". If the count is 0, the result is empty.
 */
function countingJob(
  name: string,
  everyMs: number,
  outcome: string,
  handle: (signal: AbortSignal) => number | Promise<number>,
): Job {
  return {
    name,
    everyMs,
    async run(signal) {
      const count = await handle(signal)
      return count > 0 ? `${count} ${outcome}` : undefined
    },
  }
}

/**
 * Removes expired responses, conversations, reasoning and realtime keys. Also removes the oldest responses above the
 * storage limit.
 */
async function trimStoredResponses({
  responses,
  conversations,
  thoughts,
  realtimeKeys,
}: Pick<LocalToolkit, 'responses' | 'conversations' | 'thoughts' | 'realtimeKeys'>): Promise<number> {
  const removed = (await responses.trim()) + (await conversations.trim()) + (await thoughts.trim())
  return removed + (await realtimeKeys.trim())
}
