import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { CHANNEL_BALANCE_COLUMNS } from '../../columns/channel-checks.ts'
import { positiveInts } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import { checkEach, checkRoundFlags, detachedRound, type RoundFlags, withRoundFlags } from './check-each.ts'
import { allChannels, findChannels } from './find.ts'

export const channelBalance = plainVerb({
  name: 'balance',
  description: 'channel.queryAccountBalancesInTheProvider',
  examples: ['tollgate channel balance 1'],
  syntax: (command) =>
    withRoundFlags(
      command.argument('[id...]', 'channel.channelIDs', positiveInts).option('--all', 'channel.allEnabledChannels'),
    ),
  async run(cli, ids: number[] = [], options: RoundFlags) {
    checkRoundFlags(cli, ids, options)
    if (options.detach) {
      await detachedRound(cli, 'GET /api/channel/update_balance')
      return cli.report(cli.t('channel.queriedAllBalancesOnTheServer'), { done: true })
    }
    const { toolkit, actor } = await cli.open()
    const [id] = ids
    if (ids.length === 1 && id !== undefined) {
      const balance = await toolkit.channelChecks.updateBalance(actor, id)
      return cli.json ? cli.writeJson({ id, balance }) : cli.write(String(balance))
    }
    const channels = options.all
      ? await allChannels(toolkit, actor, { status: CHANNEL_STATUS.enabled })
      : await findChannels(cli, toolkit, actor, { ids })
    await checkEach(
      cli,
      channels,
      async ({ id, name }, signal) => {
        const balance = await toolkit.channelChecks.updateBalance(actor, id, { signal })
        return { id, name, result: 'ok', message: '', balance }
      },
      {
        title: cli.t('channel.asking'),
        columns: CHANNEL_BALANCE_COLUMNS,
        empty: cli.t('channel.noChannelsListed'),
        concurrency: options.concurrency,
        failedRow: ({ id, name }, outcome) => ({ id, name, ...outcome, balance: null }),
        unsupported: options.all && 'BALANCE_UNSUPPORTED',
      },
    )
  },
})
