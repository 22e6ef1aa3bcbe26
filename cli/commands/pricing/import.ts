import type { Actor } from '../../../core/actor.ts'
import type { PriceEdit } from '../../../core/pricing/price-edit.ts'
import { DIFFERENCE_COLUMNS } from '../../columns/pricing.ts'
import { CommandError } from '../../errors.ts'
import { changeTables } from '../../options/tables.ts'
import { verb, YES } from '../../run/verbs.ts'
import type { CommandToolkit } from '../../toolkit.ts'

interface Options {
  missing?: true
  dryRun?: true
  yes?: true
}

export const pricingImport = verb({
  name: 'import',
  description: 'pricing.copyPricesOfTheBundledPrice',
  examples: ['tollgate pricing import --missing --dry-run', 'tollgate pricing import gpt-4.1 --yes'],
  syntax: (command) =>
    command
      .argument('[models...]', 'pricing.modelNamesDefault')
      .option('--missing', 'pricing.onlyModelsWithoutYourOwnPrice')
      .option('--dry-run', 'pricing.showTheChangesWithoutSavingThem')
      .option(...YES),
  async run({ cli, toolkit, actor }, given: string[], { missing, dryRun, yes }: Options) {
    const { editPrices } = await import('../../../core/pricing/price-edit.ts')
    const values = await toolkit.options.list(actor)
    const candidates = given.length > 0 ? [...new Set(given)] : await usagePricedModels(toolkit, actor)
    const { edits, unknown } = await fromLibrary(missing ? withoutOwnPrice(candidates, values) : candidates)
    if (unknown.length > 0) cli.note(cli.t('pricing.notInThePriceList', { unknown: unknown.join(', ') }))
    if (given.length > 0 && edits.length === 0 && unknown.length > 0) {
      throw new CommandError('UNKNOWN_TO_PRICE_LIST', cli.t('pricing.thePriceListHasNone'))
    }
    const { differences } = editPrices(values, edits)
    const empty = cli.t('pricing.nothingIsChanged')
    if (dryRun) return cli.print(differences, { columns: DIFFERENCE_COLUMNS, empty })
    if (differences.length === 0) return cli.report(empty, [])
    if (!yes && cli.interactive) {
      for (const { model, table, condition, before, after } of differences) {
        cli.note(`${table}[${condition ? `${condition}:` : ''}${model}]: ${before ?? '-'} → ${after ?? '-'}`)
      }
    }
    await cli.confirm(cli.t('pricing.saveEntries', { count: differences.length }), { yes })
    await changeTables(toolkit, actor, (latest) => editPrices(latest, edits))
    const models = new Set(differences.map(({ model }) => model))
    cli.report(cli.t('pricing.savedThePricesOfModels', { count: models.size }), differences)
  },
})

/** Returns the served models that are priced by usage, not by call. */
async function usagePricedModels({ prices }: CommandToolkit, actor: Actor): Promise<string[]> {
  const served = await prices.list(actor)
  return served.filter(({ quota_type }) => quota_type === 0).map(({ model_name }) => model_name)
}

/** Returns the models without a price in the options ModelRatio and ModelPrice. */
function withoutOwnPrice(models: readonly string[], options: readonly { key: string; value: string }[]): string[] {
  const tables = options.filter(({ key }) => key === 'ModelRatio' || key === 'ModelPrice')
  const pricedModels = new Set(tables.flatMap(({ value }) => Object.keys(JSON.parse(value) as object)))
  return models.filter((model) => !pricedModels.has(model))
}

/** Returns prices from the price list that is bundled with this program, also for a remote gateway. */
async function fromLibrary(models: readonly string[]): Promise<{ edits: PriceEdit[]; unknown: string[] }> {
  const [{ loadLibrary }, { conditionText }, { tiersOf }] = await Promise.all([
    import('../../../core/pricing/library.ts'),
    import('../../../core/pricing/conditions.ts'),
    import('../../../core/pricing/tiers.ts'),
  ])
  const lookup = await loadLibrary()
  const unknown: string[] = []
  const edits = models.flatMap((model): PriceEdit[] => {
    const price = lookup(model)
    if (!price) {
      unknown.push(model)
      return []
    }
    const { modelRatio, completionRatio, cacheRatio, cacheWriteRatio } = price
    const entries = {
      ModelRatio: modelRatio,
      CompletionRatio: completionRatio,
      CacheRatio: cacheRatio,
      CacheWriteRatio: cacheWriteRatio,
    }
    // Conditions of the price list fit only the prices of the list, so both are stored.
    const listed = [...(price.conditions ?? []), ...(tiersOf(model) ?? [])]
    const conditions = Object.fromEntries(listed.map((one) => [conditionText(one), one.ratio]))
    return [{ model, entries, conditions }]
  })
  return { edits, unknown }
}
