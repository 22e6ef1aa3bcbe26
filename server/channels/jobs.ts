import { GATEWAY } from '../../core/actor.ts'
import type { Channels } from '../../core/channels/channels.ts'
import { testRoundLetter } from '../../core/mail/letters.ts'
import type { Job } from '../jobs/job.ts'
import type { RootMails } from '../root-mails.ts'
import type { ProbeGuard } from './guard.ts'
import type { ChannelRounds } from './rounds.ts'

/**
 * Returns the job that tests all channels. If an administrator started the job, `mails` sends the result to root, and
 * `guard` restricts the addresses.
 */
export function channelTestJob(
  rounds: Pick<ChannelRounds, 'test'>,
  { everyMs = 0, mails, guard }: { everyMs?: number; mails?: Pick<RootMails, 'send'>; guard?: ProbeGuard | undefined },
): Job {
  return {
    name: 'channel-test',
    everyMs,
    async run(signal) {
      const round = await rounds.test(signal, { guard })
      if (!signal.aborted) mails?.send((language) => testRoundLetter(round, language))
      return `${round.tested} tested, ${round.failed} failed, ${round.disabled} disabled, ${round.enabled} enabled`
    },
  }
}

/** Returns the job that queries the balances of all channels at the vendors. */
export function channelBalanceJob(rounds: Pick<ChannelRounds, 'updateBalances'>, everyMs: number): Job {
  return {
    name: 'channel-balance',
    everyMs,
    run: async (signal) => `${await rounds.updateBalances(signal)} balances`,
  }
}

const HOUR_MS = 3_600_000

/** Returns the job that removes old rows from the histories of channels. */
export function channelHistoryJob(channels: Pick<Channels, 'trimHealth'>): Job {
  return {
    name: 'channel-history',
    everyMs: HOUR_MS,
    run: async () => `${await channels.trimHealth(GATEWAY)} rows removed`,
  }
}
