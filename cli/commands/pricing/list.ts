import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

interface Options extends Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  group?: string
  search?: string
  unpriced?: true
}

export function pricingList(cli: Cli): Command {
  const command = new Command('list')
    .description('List what the models cost that channels serve: dollars for a million tokens, or for a call')
    .option('--group <name>', 'only models that this group has, at its price (default: all, at ratio 1)')
    .option('--search <text>', 'only models whose name contains this')
    .option('--unpriced', 'only models without a price, which are refused; for administrators')
  return withViewFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate pricing list --sort -output\n  tollgate pricing list --group default',
    )
    .action(async ({ group, search = '', unpriced, ...flags }: Options) => {
      const [{ toolkit, actor }, { PRICE_COLUMNS, priceRow }, { ratioOfGroup }] = await Promise.all([
        cli.open(),
        import('../../columns/pricing.ts'),
        import('../../options/group-ratio.ts'),
      ])
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [details, { quotaPerUnit }] = await Promise.all([toolkit.prices.list(actor), toolkit.display()])
      const rows = details
        .filter(({ model_name }) => model_name.toLowerCase().includes(search.toLowerCase()))
        .filter(({ enable_groups }) => group === undefined || enable_groups.includes(group))
        .filter(({ source }) => !unpriced || source === 'none')
        .map((detail) => priceRow(detail, { quotaPerUnit, ratio }))
      await showAll(cli, flags, rows, { columns: PRICE_COLUMNS, empty: cli.say`No such models.` })
    })
}
