import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { channelBalanceJob, channelTestJob } from '../channels/jobs.ts'
import type { ChannelRounds } from '../channels/rounds.ts'
import { quotaReminderJob } from '../mails/quota-reminder-job.ts'
import type { Links } from '../relay/links.ts'
import type { Job } from './job.ts'

/** What jobs are made of. */
export interface JobParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  links: Links
  rounds: ChannelRounds
}

/** What one of all processes does. */
export function generalJobs({ toolkit, config, rounds }: JobParts): Job[] {
  const { testEveryMs, balanceEveryMs } = config.channelJobs
  return [
    quotaReminderJob(toolkit.quotaReminders),
    ...(testEveryMs > 0 ? [channelTestJob(rounds, { everyMs: testEveryMs })] : []),
    ...(balanceEveryMs > 0 ? [channelBalanceJob(rounds, balanceEveryMs)] : []),
  ]
}

/** What one of those processes does that may ask upstreams for tasks (setting UPDATE_TASK). */
export function taskJobs(_parts: JobParts): Job[] {
  return []
}
