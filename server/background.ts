import type { Logger } from 'pino'
import { openChannelHealth } from '../core/channels/health/open.ts'
import type { ChannelDirectory } from '../core/channels/routing/directory.ts'
import type { Config } from '../core/config.ts'
import { limitNews } from '../core/limits/reached.ts'
import { limitLetter } from '../core/mail/letters.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { createChannelRounds } from './channels/rounds.ts'
import { generalJobs, taskJobs } from './jobs/list.ts'
import { createRunningJobs } from './jobs/running-jobs.ts'
import { createDeliverNotice } from './notices/deliver.ts'
import type { OutboundClients } from './relay/transport/outbound-clients.ts'
import { createRootMails } from './root-mails.ts'

/** Opens the background work of a gateway: channel health, jobs, and mails to root. */
export function openBackground({
  toolkit,
  directory,
  config,
  logger,
}: {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  logger: Logger
}) {
  const channelHealth = openChannelHealth({
    ...toolkit,
    autoStatus: toolkit.channels,
    directory,
    onChange: ({ channelId: channel, scope, subject, transition, cause, reason }) => {
      const circuit = { channel, scope, subject, evidence: cause, reason }
      if (transition === 'opened') logger.warn(circuit, 'circuit opened')
      else if (transition === 'closed') logger.info(circuit, 'circuit closed')
    },
    onFailure: (err) => logger.error({ err }, 'failed to store the health of a channel'),
  })
  const rootMails = createRootMails({
    mail: toolkit.mail,
    rootReceivers: toolkit.accounts.rootReceivers,
    noticedAddresses: toolkit.notices.mailAddresses,
    onFailure: (err) => logger.warn({ err }, 'failed to email root'),
  })
  const stopNotifyingRoot = toolkit.channels.onChange((change) => {
    logger.warn(change, 'the status of a channel was changed automatically')
    rootMails.reportChange(change)
  })
  toolkit.liveLimits.onExcess(({ limit, subjectId }) => {
    if (limit.action !== 'notify') return
    const display = toolkit.notices.display()
    rootMails.send((language) => limitLetter(limitNews(limit, { subjectId, language, display }), language))
  })
  const rounds = createChannelRounds({
    toolkit,
    pauseMs: config.channelJobs.pauseMs,
    onFailure: (err) => logger.error({ err }, 'a round over all channels failed'),
  })
  const jobs = createRunningJobs({ toolkit, logger })
  const { allowHosts } = config.media
  const deliverNotice = createDeliverNotice({ mail: toolkit.mail, display: toolkit.notices.display, allowHosts })
  return {
    health: channelHealth.health,
    rounds,
    rootMails,
    jobs: jobs.runner,
    deliverNotice,
    /** Starts the jobs. `links` are the clients for outbound calls. */
    begin(links: OutboundClients): void {
      const parts = { toolkit, directory, config, links, rounds, deliverNotice, logger }
      jobs.start({ general: generalJobs(parts), tasks: config.pollsTasks ? taskJobs(parts) : undefined })
    },
    /** Stops the jobs and waits for them. */
    stop: (): Promise<void> => jobs.close(),
    /** Stores the channel health and sends the pending mails. Call it after the last relay has ended. */
    async close(): Promise<void> {
      // Closing evaluates the last failures and may disable a channel, so stop notifying root only afterward.
      await channelHealth.close()
      stopNotifyingRoot()
      await rootMails.close()
    },
  }
}
