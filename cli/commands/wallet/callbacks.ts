import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

interface Options extends ListFlags {
  order?: string
  verdict?: string
}

export function walletCallbacks(cli: Cli): Command {
  const command = new Command('callbacks')
    .description('List what the payment gateway has said, with verdicts, newest first; for administrators')
    .option('--order <number>', 'only about the order of this number')
    .option('--verdict <word>', 'only credited, repeated, ignored, refused or failed')
  return withListFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate wallet callbacks --verdict failed')
    .action(async ({ order, verdict, ...flags }: Options) => {
      const [{ VERDICTS }, { CALLBACK_COLUMNS }] = await Promise.all([
        import('../../../core/wallet/schema.ts'),
        import('../../columns/wallet.ts'),
      ])
      if (verdict !== undefined && !(VERDICTS as readonly string[]).includes(verdict))
        throw usageError(cli.say`--verdict must be one of ${VERDICTS.join(', ')}, not '${verdict}'`)
      const { toolkit, actor } = await cli.open()
      const filter = { ...(order !== undefined && { trade_no: order }), ...(verdict !== undefined && { verdict }) }
      await showList(cli, flags, async (paging) => toolkit.wallet.callbacks(actor, { ...filter, ...paging }), {
        columns: CALLBACK_COLUMNS,
        empty: cli.say`No notifications.`,
      })
    })
}
