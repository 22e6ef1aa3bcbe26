import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function pricingGet(cli: Cli): Command {
  return new Command('get')
    .description('Show all that one model costs, and where its price comes from')
    .argument('<model>', 'name of the model')
    .option('--group <name>', 'at the price of this group (default: ratio 1)')
    .addHelpText('after', '\nExample:\n  tollgate pricing get gpt-4o')
    .action(async (model: string, { group }: { group?: string }) => {
      const [{ toolkit, actor }, { PRICE_COLUMNS, priceRow }, { ratioOfGroup }] = await Promise.all([
        cli.open(),
        import('../../columns/pricing.ts'),
        import('../../options/group-ratio.ts'),
      ])
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [detail, { quotaPerUnit }] = await Promise.all([toolkit.prices.get(actor, model), toolkit.display()])
      await cli.show(priceRow(detail, { quotaPerUnit, ratio }), { columns: PRICE_COLUMNS })
    })
}
