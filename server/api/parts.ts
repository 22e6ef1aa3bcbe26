import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import type { ChannelRounds } from '../channels/rounds.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { RootMails } from '../mails/root-mails.ts'
import type { Links } from '../relay/transport/links.ts'

/** What the routes of every resource are given. */
export interface ApiParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  rounds: ChannelRounds
  jobs: JobRunner
  rootMails: RootMails
  /** What bodies that are being received may take of the memory. */
  bodies: BodyBudget
  links: Pick<Links, 'guarded'>
  /** Unix seconds. */
  startedAt: number
}
