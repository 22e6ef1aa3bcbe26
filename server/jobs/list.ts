import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { channelBalanceJob, channelHistoryJob, channelTestJob } from '../channels/jobs.ts'
import type { ChannelRounds } from '../channels/rounds.ts'
import type { DeliverNotice } from '../notices/deliver.ts'
import { ledgerCheckJob, noticeDeliveryJob } from '../notices/notice-jobs.ts'
import { batchPoll } from '../relay/batches/poll.ts'
import { createBatchUpstream } from '../relay/batches/upstream.ts'
import { createDrawingPoll } from '../relay/tasks/midjourney/poll.ts'
import { musicPoll } from '../relay/tasks/suno/poll.ts'
import type { OutboundClients } from '../relay/transport/outbound-clients.ts'
import { countingJobs } from './counting-jobs.ts'
import type { Job } from './job.ts'

interface JobParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  links: OutboundClients
  rounds: ChannelRounds
  deliverNotice: DeliverNotice
  logger: Logger
}

/** Returns the jobs that any process may run. */
export function generalJobs({ toolkit, config, rounds, deliverNotice }: JobParts): Job[] {
  const { testEveryMs, balanceEveryMs } = config.channelJobs
  return [
    ...countingJobs(toolkit),
    channelHistoryJob(toolkit.channels),
    noticeDeliveryJob(toolkit.notices, deliverNotice),
    ledgerCheckJob(toolkit),
    ...(testEveryMs > 0 ? [channelTestJob(rounds, { everyMs: testEveryMs })] : []),
    ...(balanceEveryMs > 0 ? [channelBalanceJob(rounds, balanceEveryMs)] : []),
  ]
}

/** Returns the jobs that poll upstreams for tasks and batches. Only processes with UPDATE_TASK may run them. */
export function taskJobs(parts: JobParts): Job[] {
  return [
    createDrawingPoll(parts),
    musicPoll(parts),
    batchPoll({ ...parts, upstream: createBatchUpstream(parts.links) }),
  ]
}
