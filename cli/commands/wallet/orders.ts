import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

interface Options extends ListFlags {
  everybody?: true
  user?: string
  status?: string
  order?: string
}

const STATUS = ['pending', 'success']

export function walletOrders(cli: Cli): Command {
  const command = new Command('orders')
    .description('List orders of quota, newest first')
    .option('--everybody', "all users'; for administrators")
    .option('--user <name>', 'with --everybody: only those of this user')
    .option('--status <word>', 'with --everybody: only pending or success')
    .option('--order <number>', 'with --everybody: only the order of this number, such as USR1NO…')
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate wallet orders\n  tollgate wallet orders --everybody --status pending',
    )
    .action(async ({ everybody, user, status, order, ...flags }: Options) => {
      const narrowed = user !== undefined || status !== undefined || order !== undefined
      if (narrowed && !everybody) throw usageError(cli.say`--user, --status and --order need --everybody`)
      if (status !== undefined && !STATUS.includes(status))
        throw usageError(cli.say`--status must be one of ${STATUS.join(', ')}, not '${status}'`)
      const [{ toolkit, actor }, { ORDER_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/wallet.ts')])
      const filter = {
        ...(user !== undefined && { username: user }),
        ...(status !== undefined && { status }),
        ...(order !== undefined && { trade_no: order }),
      }
      await showList(
        cli,
        flags,
        async (paging) =>
          everybody ? toolkit.wallet.orders(actor, { ...filter, ...paging }) : toolkit.wallet.ownOrders(actor, paging),
        { columns: ORDER_COLUMNS, empty: cli.say`No orders.` },
      )
    })
}
