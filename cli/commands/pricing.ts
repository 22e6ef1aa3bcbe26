import { listVerb, noun, showVerb } from '../run/verbs.ts'
import { pricingImport } from './pricing/import.ts'
import { pricingSet } from './pricing/set.ts'
import { pricingUnset } from './pricing/unset.ts'

interface ListOptions {
  group?: string
  search?: string
  unpriced?: true
}

const columns = async () => (await import('../columns/pricing.ts')).PRICE_COLUMNS

export const pricing = noun('pricing', [
  listVerb({
    name: 'list',
    description: 'List what the models cost that channels serve: dollars for a million tokens, or for a call',
    examples: ['tollgate pricing list --sort -output', 'tollgate pricing list --group default'],
    syntax: (command) =>
      command
        .option('--group <name>', 'only models that this group has, at its price (default: all, at ratio 1)')
        .option('--search <text>', 'only models whose name contains this')
        .option('--unpriced', 'only models without a price, which are refused; for administrators'),
    columns,
    async rows({ toolkit, actor }, { group, search = '', unpriced }: ListOptions) {
      const [{ priceRow }, { ratioOfGroup }] = await Promise.all([
        import('../columns/pricing.ts'),
        import('../options/group-ratio.ts'),
      ])
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [details, { quotaPerUnit }] = await Promise.all([toolkit.prices.list(actor), toolkit.display()])
      return details
        .filter(({ model_name }) => model_name.toLowerCase().includes(search.toLowerCase()))
        .filter(({ enable_groups }) => group === undefined || enable_groups.includes(group))
        .filter(({ source }) => !unpriced || source === 'none')
        .map((detail) => priceRow(detail, { quotaPerUnit, ratio }))
    },
    empty: ({ say }) => say`No such models.`,
  }),
  showVerb({
    name: 'get',
    description: 'Show all that one model costs, and where its price comes from',
    example: 'tollgate pricing get gpt-4o',
    syntax: (command) =>
      command
        .argument('<model>', 'name of the model')
        .option('--group <name>', 'at the price of this group (default: ratio 1)'),
    columns,
    async record({ toolkit, actor }, model: string, { group }: { group?: string }) {
      const [{ priceRow }, { ratioOfGroup }] = await Promise.all([
        import('../columns/pricing.ts'),
        import('../options/group-ratio.ts'),
      ])
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [detail, { quotaPerUnit }] = await Promise.all([toolkit.prices.get(actor, model), toolkit.display()])
      return priceRow(detail, { quotaPerUnit, ratio })
    },
  }),
  pricingSet,
  pricingUnset,
  pricingImport,
])
