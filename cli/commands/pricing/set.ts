import type { PriceEdit } from '../../../core/pricing/price-edit.ts'
import type { Cli } from '../../cli.ts'
import { PRICE_COLUMNS, priceRow } from '../../columns/pricing.ts'
import { usageError } from '../../errors.ts'
import { priceArgument, priceCondition } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  ratio?: number
  price?: number
  inputUsd?: number
  outputUsd?: number
  completionRatio?: number
  cacheRatio?: number
  cacheWriteRatio?: number
  when?: Record<string, number | null>
}

export const pricingSet = plainVerb({
  name: 'set',
  description: 'Give a model a price of your own; what you leave out stays as it is',
  examples: [
    'tollgate pricing set my-model --input-usd 0.5 --output-usd 2',
    "tollgate pricing set my-model --when 'prompt>200000=2' --when tier=flex=0.5",
    'tollgate pricing set my-painter --price 0.04',
  ],
  syntax: (command) =>
    command
      .argument('<model>', 'name of the model, as clients ask for it')
      .option('--input-usd <dollars>', 'dollars for a million prompt tokens', priceArgument)
      .option('--output-usd <dollars>', 'dollars for a million completion tokens', priceArgument)
      .option('--price <dollars>', 'dollars per call of any length', priceArgument)
      .option('--ratio <n>', 'quota for a prompt token, instead of --input-usd', priceArgument)
      .option(
        '--completion-ratio <n>',
        'what a completion token costs in prompt tokens, instead of --output-usd',
        priceArgument,
      )
      .option('--cache-ratio <n>', 'what a cached prompt token costs in prompt tokens', priceArgument)
      .option('--cache-write-ratio <n>', 'what a token written to the cache costs in prompt tokens', priceArgument)
      .option(
        '--when <condition=factor>',
        'a factor under a condition: prompt>200000, completion>200000, tier=flex, effort=high, utc=1630-0030; image and reasoning are in prompt tokens; "none" as the factor removes it',
        priceCondition,
      ),
  async run(cli, model: string, options: Options) {
    refuseContradictions(cli, options)
    const [{ toolkit, actor }, { editPrices }, { changeTables }] = await Promise.all([
      cli.open(),
      import('../../../core/pricing/price-edit.ts'),
      import('../../options/tables.ts'),
    ])
    const { quotaPerUnit } = await toolkit.display()
    if (!cli.json) await cli.format()
    const before = options.outputUsd !== undefined && options.inputUsd === undefined
    const ratio = before ? (await toolkit.prices.get(actor, model)).model_ratio : undefined
    const entries = entriesOf(cli, options, { quotaPerUnit, ratio })
    const edit = { model, entries, ...(options.when && { conditions: options.when }) }
    const { differences } = await changeTables(toolkit, actor, (values) => editPrices(values, [edit]))
    const row = priceRow(await toolkit.prices.get(actor, model), { quotaPerUnit, ratio: 1 })
    if (cli.json) return cli.writeJson(row)
    if (differences.length === 0) cli.note(cli.say`Nothing changed: ${model} has this price already.`)
    else if (row.model_ratio === 0 && row.model_price === 0) cli.note(cli.say`${model} is free now.`)
    else cli.note(cli.say`${model} has this price now:`)
    await cli.show(row, { columns: PRICE_COLUMNS })
  },
})

function refuseContradictions(cli: Cli, options: Options): void {
  const { ratio, price, inputUsd, outputUsd, completionRatio } = options
  if (Object.values(options).every((value) => value === undefined))
    throw usageError(cli.say`give a price, such as --input-usd 0.5`)
  const ways = [
    ratio !== undefined && '--ratio',
    inputUsd !== undefined && '--input-usd',
    price !== undefined && '--price',
  ].filter((way) => way !== false)
  if (ways.length > 1) throw usageError(cli.say`give only one of ${ways.join(', ')}`)
  if (outputUsd !== undefined && completionRatio !== undefined) {
    throw usageError(cli.say`give either --output-usd or --completion-ratio, not both`)
  }
  if (price !== undefined && Object.values(options).filter((value) => value !== undefined).length > 1) {
    throw usageError(cli.say`a price for a call leaves no other prices: give --price alone`)
  }
  if (outputUsd !== undefined && ratio !== undefined) {
    throw usageError(cli.say`--output-usd goes with --input-usd; with --ratio give --completion-ratio`)
  }
}

function entriesOf(
  cli: Cli,
  { ratio, price, inputUsd, outputUsd, completionRatio, cacheRatio, cacheWriteRatio }: Options,
  known: { quotaPerUnit: number; ratio: number | undefined },
): PriceEdit['entries'] {
  const ofDollars = (dollars: number) => Number(((dollars * known.quotaPerUnit) / 1e6).toPrecision(12))
  const modelRatio = ratio ?? (inputUsd === undefined ? undefined : ofDollars(inputUsd))
  const prompt = modelRatio ?? known.ratio ?? 0
  if (outputUsd !== undefined && outputUsd > 0 && prompt === 0) {
    throw usageError(
      cli.say`completions are priced in prompt tokens, which cost nothing here: give --input-usd above 0`,
    )
  }
  const completion =
    outputUsd === undefined
      ? completionRatio
      : outputUsd === 0
        ? 0
        : Number((ofDollars(outputUsd) / prompt).toPrecision(12))
  return {
    ...(modelRatio !== undefined && { ModelRatio: modelRatio }),
    ...(price !== undefined && { ModelPrice: price }),
    ...(completion !== undefined && { CompletionRatio: completion }),
    ...(cacheRatio !== undefined && { CacheRatio: cacheRatio }),
    ...(cacheWriteRatio !== undefined && { CacheWriteRatio: cacheWriteRatio }),
  }
}
