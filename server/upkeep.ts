import type { Logger } from 'pino'
import type { ChannelDirectory } from '../core/channels/directory.ts'
import { type OpenChannelHealth, openChannelHealth } from '../core/channels/health/open.ts'
import type { Config } from '../core/config.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { type ChannelRounds, createChannelRounds } from './channels/rounds.ts'
import { generalJobs, taskJobs } from './jobs/list.ts'
import type { JobRunner } from './jobs/runner.ts'
import { createRunningJobs } from './jobs/running-jobs.ts'
import { createRootMails, type RootMails } from './mails/root-mails.ts'
import type { Links } from './relay/transport/links.ts'

/** What a gateway does beside answering: it learns which channels are well, does the regular work, and tells root. */
export interface Upkeep {
  readonly health: OpenChannelHealth['health']
  readonly rounds: ChannelRounds
  readonly rootMails: RootMails
  readonly jobs: JobRunner
  /** Takes part in the regular work from now on. */
  begin(links: Links): void
  /** Ends the regular work, and waits for it. */
  stop(): Promise<void>
  /** Once no relay runs any more: writes what is known by now, and sends what is to be told. */
  close(): Promise<void>
}

export function openUpkeep({
  toolkit,
  directory,
  config,
  logger,
}: {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  logger: Logger
}): Upkeep {
  const channelHealth = openChannelHealth({
    ...toolkit,
    upkeep: toolkit.channels,
    directory,
    onChange: ({ channelId: channel, scope, subject, transition, evidence, reason }) => {
      const circuit = { channel, scope, subject, evidence, reason }
      if (transition === 'opened') logger.warn(circuit, 'a circuit has opened: no more requests go there for a while')
      else if (transition === 'closed') logger.info(circuit, 'a circuit has closed')
    },
    onFailure: (err) => logger.error({ err }, 'what was found out about a channel could not be written'),
  })
  const rootMails = createRootMails({
    mail: toolkit.mail,
    rootAddresses: toolkit.accounts.rootAddresses,
    onFailure: (err) => logger.warn({ err }, 'root could not be told by mail'),
  })
  const tellNobody = toolkit.channels.onChange((change) => {
    logger.warn(change, 'the status of a channel was changed automatically')
    rootMails.tell(change)
  })
  const rounds = createChannelRounds({
    toolkit,
    pauseMs: config.channelJobs.pauseMs,
    onFailure: (err) => logger.error({ err }, 'a round over all channels met a defect'),
  })
  const jobs = createRunningJobs({ toolkit, logger })
  return {
    health: channelHealth.health,
    rounds,
    rootMails,
    jobs: jobs.runner,
    begin(links) {
      const parts = { toolkit, directory, config, links, rounds, logger }
      jobs.start({ general: generalJobs(parts), tasks: config.pollsTasks ? taskJobs(parts) : undefined })
    },
    stop: () => jobs.close(),
    async close() {
      // What is found out last may still change a channel, and root is told of it.
      await channelHealth.close()
      tellNobody()
      await rootMails.close()
    },
  }
}
