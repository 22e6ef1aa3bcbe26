import type { QuotaReminders } from '../../core/accounts/quota-reminders.ts'
import type { Job } from '../jobs/job.ts'

const EVERY_MS = 30_000

/** Reminds users of a low balance. */
export function quotaReminderJob(reminders: QuotaReminders): Job {
  return {
    name: 'quota-reminder',
    everyMs: EVERY_MS,
    async run(signal) {
      const count = await reminders.send(signal)
      return count > 0 ? `${count} reminded` : undefined
    },
  }
}
