import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function walletBalance(cli: Cli): Command {
  return new Command('balance')
    .description('Show what you have left, and what you have used')
    .addHelpText('after', '\nExamples:\n  tollgate wallet balance')
    .action(async () => {
      const [{ toolkit, actor }, { BALANCE_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/wallet.ts'),
      ])
      const { quota, used_quota, request_count, aff_quota } = await toolkit.profile.get(actor)
      const balance = { quota, used_quota, request_count, invite_quota: aff_quota }
      await cli.show(balance, { columns: BALANCE_COLUMNS })
    })
}
