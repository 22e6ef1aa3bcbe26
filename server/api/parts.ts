import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import type { ChannelRounds } from '../channels/rounds.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { DeliverNotice } from '../notices/deliver.ts'
import type { PendingWork } from '../pending-work.ts'
import type { OutboundClients } from '../relay/transport/outbound-clients.ts'
import type { RootMails } from '../root-mails.ts'

export interface ApiParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  rounds: ChannelRounds
  jobs: JobRunner
  rootMails: RootMails
  deliverNotice: DeliverNotice
  bodies: BodyBudget
  links: Pick<OutboundClients, 'guarded' | 'upstream'>
  logger: Logger
  /** Start time of the gateway in unix seconds. */
  startedAt: number
}

export interface ChannelParts extends ApiParts {
  /** Running requests to upstreams. */
  pendingCalls: PendingWork
}
