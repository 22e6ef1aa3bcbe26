import { verb } from '../../run/verbs.ts'

export const pricingUnset = verb({
  name: 'unset',
  description: 'Forget your own price of models; the price list has one, or they are refused',
  example: 'tollgate pricing unset gpt-4o --yes',
  syntax: (command) => command.argument('<models...>', 'names of models').option('-y, --yes', 'do not ask'),
  async run({ cli, toolkit, actor }, given: string[], { yes }: { yes?: true }) {
    const [{ GatewayError }, { editPrices, PRICE_TABLES }, { changeTables }] = await Promise.all([
      import('../../../core/errors.ts'),
      import('../../../core/pricing/price-edit.ts'),
      import('../../options/tables.ts'),
    ])
    const models = [...new Set(given)]
    const nothing = Object.fromEntries(PRICE_TABLES.map((table) => [table, null]))
    const edits = models.map((model) => ({ model, entries: nothing, conditions: null }))
    const { differences } = editPrices(await toolkit.options.list(actor), edits)
    const own = new Set(differences.map(({ model }) => model))
    const without = models.find((model) => !own.has(model))
    if (without !== undefined) throw new GatewayError('MODEL_PRICE_NOT_OWN', { model: without })
    await cli.confirm(cli.say`Forget your own price of ${models.join(', ')}?`, { yes })
    await changeTables(toolkit, actor, (values) => editPrices(values, edits))
    const now = await Promise.all(models.map(async (model) => ({ model, source: await sourceOf(model) })))
    cli.report(
      now
        .map(({ model, source }) =>
          source === 'none'
            ? cli.say`${model} has no price any more: requests for it are refused.`
            : cli.say`${model} has no price of your own any more; its price is that of: ${source}`,
        )
        .join('\n'),
      now,
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
})
