import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { channelBalanceJob, channelHistoryJob, channelTestJob } from '../channels/jobs.ts'
import type { ChannelRounds } from '../channels/rounds.ts'
import { quotaReminderJob } from '../mails/quota-reminder-job.ts'
import { drawingPoll } from '../relay/tasks/midjourney/poll.ts'
import { musicPoll } from '../relay/tasks/suno/poll.ts'
import type { Links } from '../relay/transport/links.ts'
import { failureLogJob } from './failure-log-job.ts'
import type { Job } from './job.ts'
import { logClearJob } from './log-clear-job.ts'
import { relayOutcomesJob } from './relay-outcomes-job.ts'
import { storedObjectsJob } from './stored-objects-job.ts'
import { storedResponsesJob } from './stored-responses-job.ts'

/** What jobs are made of. */
export interface JobParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  links: Links
  rounds: ChannelRounds
  logger: Logger
}

/** What one of all processes does. */
export function generalJobs({ toolkit, config, rounds }: JobParts): Job[] {
  const { testEveryMs, balanceEveryMs } = config.channelJobs
  return [
    quotaReminderJob(toolkit.quotaReminders),
    channelHistoryJob(toolkit.channels),
    logClearJob(toolkit.logs),
    failureLogJob(toolkit),
    relayOutcomesJob(toolkit.relayOutcomes),
    storedObjectsJob(toolkit.storedObjects),
    storedResponsesJob(toolkit),
    ...(testEveryMs > 0 ? [channelTestJob(rounds, { everyMs: testEveryMs })] : []),
    ...(balanceEveryMs > 0 ? [channelBalanceJob(rounds, balanceEveryMs)] : []),
  ]
}

/** What one of those processes does that may ask upstreams for tasks (setting UPDATE_TASK). */
export function taskJobs(parts: JobParts): Job[] {
  return [drawingPoll(parts), musicPoll(parts)]
}
