import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function channelPrune(cli: Cli): Command {
  return new Command('prune')
    .description('Delete all channels that are disabled, by hand or automatically')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tollgate channel prune --yes')
    .action(async ({ yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
      ])
      const { disabled, autoDisabled } = CHANNEL_STATUS
      const count = async (status: number) => (await toolkit.channels.list(actor, { status, pageSize: 1 })).total
      const [byHand, automatically] = [await count(disabled), await count(autoDisabled)]
      if (byHand + automatically === 0) return cli.report(cli.say`No channel is disabled.`, { deleted: 0 })
      await cli.confirm(
        cli.say`Delete ${byHand} channels that were disabled by hand and ${automatically} that were disabled automatically?`,
        { yes },
      )
      const deleted = await toolkit.channels.deleteDisabled(actor)
      cli.report(cli.say`Deleted ${deleted} channels.`, { deleted })
    })
}
