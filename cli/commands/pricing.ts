import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import { PRICE_COLUMNS, priceRow } from '../columns/pricing.ts'
import { changeTables } from '../options/tables.ts'
import { listVerb, noun, showVerb, verb, YES } from '../run/verbs.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { pricingImport } from './pricing/import.ts'
import { pricingSet } from './pricing/set.ts'

interface ListOptions {
  group?: string
  search?: string
  unpriced?: true
}

export const pricing = noun('pricing', [
  listVerb({
    name: 'list',
    description: 'pricing.listPricesOfServedModels',
    examples: ['tollgate pricing list --sort -output', 'tollgate pricing list --group default'],
    syntax: (command) =>
      command
        .option('--group <name>', 'pricing.onlyModelsOfThisGroup')
        .option('--search <text>', 'token.filterByPartOfTheName')
        .option('--unpriced', 'pricing.onlyModelsWithoutAPrice'),
    columns: PRICE_COLUMNS,
    async rows({ toolkit, actor }, { group, search = '', unpriced }: ListOptions) {
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [details, { quotaPerUnit }] = await Promise.all([toolkit.prices.list(actor), toolkit.display()])
      return details
        .filter(({ model_name }) => model_name.toLowerCase().includes(search.toLowerCase()))
        .filter(({ enable_groups }) => group === undefined || enable_groups.includes(group))
        .filter(({ source }) => !unpriced || source === 'none')
        .map((detail) => priceRow(detail, { quotaPerUnit, ratio }))
    },
    empty: ({ t }) => t('pricing.noMatchingModels'),
  }),
  showVerb({
    name: 'get',
    description: 'pricing.showAllPricesOfAModel',
    examples: ['tollgate pricing get gpt-4o'],
    syntax: (command) =>
      command.argument('<model>', 'pricing.modelName').option('--group <name>', 'pricing.atThePriceOfThisGroup'),
    columns: PRICE_COLUMNS,
    async record({ toolkit, actor }, model: string, { group }: { group?: string }) {
      const ratio = await ratioOfGroup(toolkit, actor, group)
      const [detail, { quotaPerUnit }] = await Promise.all([toolkit.prices.get(actor, model), toolkit.display()])
      return priceRow(detail, { quotaPerUnit, ratio })
    },
  }),
  pricingSet,
  verb({
    name: 'unset',
    description: 'pricing.removeYourOwnPricesOfModels',
    examples: ['tollgate pricing unset gpt-4o --yes'],
    syntax: (command) => command.argument('<models...>', 'pricing.modelNames').option(...YES),
    async run({ cli, toolkit, actor }, given: string[], { yes }: { yes?: true }) {
      const { editPrices, PRICE_TABLES } = await import('../../core/pricing/price-edit.ts')
      const models = [...new Set(given)]
      const noEntries = Object.fromEntries(PRICE_TABLES.map((table) => [table, null]))
      const edits = models.map((model) => ({ model, entries: noEntries, conditions: null }))
      const { differences } = editPrices(await toolkit.options.list(actor), edits)
      const changedModels = new Set(differences.map(({ model }) => model))
      const unpricedModel = models.find((model) => !changedModels.has(model))
      if (unpricedModel !== undefined) throw new GatewayError('MODEL_PRICE_NOT_OWN', { model: unpricedModel })
      await cli.confirm(cli.t('pricing.removeYourOwnPriceOf', { models: models.join(', ') }), { yes })
      await changeTables(toolkit, actor, (values) => editPrices(values, edits))
      const newSources = await Promise.all(models.map(async (model) => ({ model, source: await sourceOf(model) })))
      cli.report(
        newSources
          .map(({ model, source }) =>
            source === 'none'
              ? cli.t('pricing.nowHasNoPrice', { model })
              : cli.t('pricing.removedYourOwnPrice', { model, source }),
          )
          .join('\n'),
        newSources,
      )

      async function sourceOf(model: string): Promise<string> {
        try {
          return (await toolkit.prices.get(actor, model)).source
        } catch (error) {
          if (error instanceof GatewayError && error.code === 'MODEL_UNPRICED') return 'none'
          throw error
        }
      }
    },
  }),
  pricingImport,
])

/** Returns the price ratio of a group that the actor may use; 1 without a group. Throws GROUP_NOT_FOUND. */
async function ratioOfGroup(
  { groups }: Pick<CommandToolkit, 'groups'>,
  actor: Actor,
  group: string | undefined,
): Promise<number> {
  if (group === undefined) return 1
  const match = (await groups.list(actor)).find(({ name }) => name === group)
  if (!match) throw new GatewayError('GROUP_NOT_FOUND', { group })
  return match.ratio
}
