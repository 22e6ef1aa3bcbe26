import type { PriceEdit } from '../../../core/pricing/price-edit.ts'
import { defined } from '../../../core/records.ts'
import type { Cli } from '../../cli.ts'
import { PRICE_COLUMNS, priceRow } from '../../columns/pricing.ts'
import { usageError } from '../../errors.ts'
import { priceArgument, priceCondition } from '../../input/arguments.ts'
import { changeTables } from '../../options/tables.ts'
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
  description: 'pricing.setYourOwnPrice',
  examples: [
    'tollgate pricing set my-model --input-usd 0.5 --output-usd 2',
    "tollgate pricing set my-model --when 'prompt>200000=2' --when tier=flex=0.5",
    'tollgate pricing set my-painter --price 0.04',
  ],
  syntax: (command) =>
    command
      .argument('<model>', 'pricing.modelNameInRequests')
      .option('--input-usd <dollars>', 'pricing.dollarsPerMillionPromptTokens', priceArgument)
      .option('--output-usd <dollars>', 'pricing.dollarsPerMillionCompletionTokens', priceArgument)
      .option('--price <dollars>', 'pricing.dollarsPerCall', priceArgument)
      .option('--ratio <n>', 'pricing.quotaPerPromptToken', priceArgument)
      .option('--completion-ratio <n>', 'pricing.completionPriceRelativeToPromptTokens', priceArgument)
      .option('--cache-ratio <n>', 'pricing.priceOfCachedTokensRelative', priceArgument)
      .option('--cache-write-ratio <n>', 'pricing.priceOfTokensWritten', priceArgument)
      .option('--when <condition=factor>', 'pricing.priceFactorUnderACondition', priceCondition),
  async run(cli, model: string, options: Options) {
    refuseContradictions(cli, options)
    const [{ toolkit, actor }, { editPrices }] = await Promise.all([
      cli.open(),
      import('../../../core/pricing/price-edit.ts'),
    ])
    const { quotaPerUnit } = await toolkit.display()
    if (!cli.json) await cli.format()
    const needsRatio = options.outputUsd !== undefined && options.inputUsd === undefined
    const ratio = needsRatio ? (await toolkit.prices.get(actor, model)).model_ratio : undefined
    const entries = entriesOf(cli, options, { quotaPerUnit, ratio })
    const edit = { model, entries, ...(options.when && { conditions: options.when }) }
    const { differences } = await changeTables(toolkit, actor, (values) => editPrices(values, [edit]))
    const row = priceRow(await toolkit.prices.get(actor, model), { quotaPerUnit, ratio: 1 })
    if (cli.json) return cli.writeJson(row)
    if (differences.length === 0) cli.note(cli.t('pricing.nothingChangedAlready', { model }))
    else if (row.model_ratio === 0 && row.model_price === 0) cli.note(cli.t('pricing.isNowFree', { model }))
    else cli.note(cli.t('pricing.nowHasThisPriceTitle', { model }))
    await cli.show(row, { columns: PRICE_COLUMNS })
  },
})

function refuseContradictions(cli: Cli, options: Options): void {
  const { ratio, price, inputUsd, outputUsd, completionRatio } = options
  if (Object.values(options).every((value) => value === undefined)) throw usageError(cli.t('pricing.missingPrice'))
  const givenFlags = [
    ratio !== undefined && '--ratio',
    inputUsd !== undefined && '--input-usd',
    price !== undefined && '--price',
  ].filter((way) => way !== false)
  if (givenFlags.length > 1) throw usageError(cli.t('server.passOnlyOneOf', { ways: givenFlags.join(', ') }))
  if (outputUsd !== undefined && completionRatio !== undefined) {
    throw usageError(cli.t('pricing.passEitherOutputUsdOrCompletion'))
  }
  if (price !== undefined && Object.values(options).filter((value) => value !== undefined).length > 1) {
    throw usageError(cli.t('pricing.priceCannotBeCombinedWithOther'))
  }
  if (outputUsd !== undefined && ratio !== undefined) throw usageError(cli.t('pricing.useOutputUsdWithInputUsd'))
}

function entriesOf(
  cli: Cli,
  { ratio, price, inputUsd, outputUsd, completionRatio, cacheRatio, cacheWriteRatio }: Options,
  context: { quotaPerUnit: number; ratio: number | undefined },
): PriceEdit['entries'] {
  const ofDollars = (dollars: number) => Number(((dollars * context.quotaPerUnit) / 1e6).toPrecision(12))
  const modelRatio = ratio ?? (inputUsd === undefined ? undefined : ofDollars(inputUsd))
  const prompt = modelRatio ?? context.ratio ?? 0
  if (outputUsd !== undefined && outputUsd > 0 && prompt === 0) {
    throw usageError(cli.t('pricing.theCompletionPriceIsRelative'))
  }
  const completion =
    outputUsd === undefined
      ? completionRatio
      : outputUsd === 0
        ? 0
        : Number((ofDollars(outputUsd) / prompt).toPrecision(12))
  return defined({
    ModelRatio: modelRatio,
    ModelPrice: price,
    CompletionRatio: completion,
    CacheRatio: cacheRatio,
    CacheWriteRatio: cacheWriteRatio,
  })
}
