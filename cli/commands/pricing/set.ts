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
  description: 'Set your own price of a model; omitted prices stay unchanged',
  examples: [
    'tollgate pricing set my-model --input-usd 0.5 --output-usd 2',
    "tollgate pricing set my-model --when 'prompt>200000=2' --when tier=flex=0.5",
    'tollgate pricing set my-painter --price 0.04',
  ],
  syntax: (command) =>
    command
      .argument('<model>', 'model name in requests')
      .option('--input-usd <dollars>', 'dollars per million prompt tokens', priceArgument)
      .option('--output-usd <dollars>', 'dollars per million completion tokens', priceArgument)
      .option('--price <dollars>', 'dollars per call', priceArgument)
      .option('--ratio <n>', 'quota per prompt token, instead of --input-usd', priceArgument)
      .option(
        '--completion-ratio <n>',
        'completion price relative to prompt tokens, instead of --output-usd',
        priceArgument,
      )
      .option('--cache-ratio <n>', 'price of cached tokens relative to prompt tokens', priceArgument)
      .option(
        '--cache-write-ratio <n>',
        'price of tokens written to the cache relative to prompt tokens',
        priceArgument,
      )
      .option(
        '--when <condition=factor>',
        'price factor under a condition: prompt>200000, completion>200000, tier=flex, effort=high, utc=1630-0030; image and reasoning are relative to prompt tokens; the factor "none" removes it',
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
    if (differences.length === 0) cli.note(cli.say`Nothing changed: ${model} already has this price.`)
    else if (row.model_ratio === 0 && row.model_price === 0) cli.note(cli.say`${model} is now free.`)
    else cli.note(cli.say`${model} now has this price:`)
    await cli.show(row, { columns: PRICE_COLUMNS })
  },
})

function refuseContradictions(cli: Cli, options: Options): void {
  const { ratio, price, inputUsd, outputUsd, completionRatio } = options
  if (Object.values(options).every((value) => value === undefined))
    throw usageError(cli.say`missing price: pass one, such as --input-usd 0.5`)
  const ways = [
    ratio !== undefined && '--ratio',
    inputUsd !== undefined && '--input-usd',
    price !== undefined && '--price',
  ].filter((way) => way !== false)
  if (ways.length > 1) throw usageError(cli.say`pass only one of ${ways.join(', ')}`)
  if (outputUsd !== undefined && completionRatio !== undefined) {
    throw usageError(cli.say`pass either --output-usd or --completion-ratio, not both`)
  }
  if (price !== undefined && Object.values(options).filter((value) => value !== undefined).length > 1) {
    throw usageError(cli.say`--price cannot be combined with other prices: pass it alone`)
  }
  if (outputUsd !== undefined && ratio !== undefined) {
    throw usageError(cli.say`use --output-usd with --input-usd, and --completion-ratio with --ratio`)
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
      cli.say`the completion price is relative to prompt tokens, which are free: pass --input-usd above 0`,
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
