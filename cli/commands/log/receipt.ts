import { Command } from 'commander'
import type { Receipt } from '../../../core/logs/receipt.ts'
import type { Price, Usage } from '../../../core/pricing/prices.ts'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { displayWidth } from '../../display-width.ts'
import { EXIT } from '../../errors.ts'
import type { Format } from '../../format.ts'
import { printable } from '../../printable.ts'

export function logReceipt(cli: Cli): Command {
  return new Command('receipt')
    .description('Compute the price of a log row again; exit code 1 when it is not equal')
    .argument('<id>', 'number of the log row', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate log receipt 2')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { BY_USAGE }] = await Promise.all([
        cli.open(),
        import('../../../core/pricing/price.ts'),
      ])
      const receipt = await toolkit.logs.receipt(actor, id)
      if (!receipt.equal) cli.exitCode = EXIT.failed
      if (cli.json) return cli.writeJson(receipt)
      const { price, usage } = receipt
      const format = await cli.format()
      const lines = price.modelPrice === BY_USAGE ? byUsage(price, usage) : perCall(price)
      cli.write(heading(cli, receipt, format))
      const tools = toolLines(receipt)
      for (const parts of [[''] as Line, ...lines, ...tools, [''] as Line, ...totals(receipt, format)])
        cli.write(line(cli, ...parts))
      cli.write(receipt.equal ? format.color.green(cli.text('equal')) : format.color.red(cli.text('NOT equal')))
    })
}

/** A title that is translated, what it is made of, and the result. */
type Line = [title: string, value?: string | number, result?: string]

function heading({ say }: Cli, { log }: Receipt, { moment }: Format): string {
  return say`Log row ${log.id}: ${printable(log.model_name)}, ${printable(log.username)}, ${moment(log.created_at)}`
}

function perCall({ modelPrice, groupRatio, quotaPerUnit }: Price): Line[] {
  return [
    ['price per call', `$${modelPrice}`],
    ['quota per dollar', quotaPerUnit],
    ['group ratio', groupRatio],
  ]
}

/** The parts are those of `chargeQuota`, which has the last word: this only shows what went in. */
function byUsage(price: Price, usage: Usage): Line[] {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, audioPromptTokens, audioCompletionTokens } =
    usage
  const parts: [string, number, number][] = [
    ['prompt tokens', promptTokens - cachedTokens - cacheWriteTokens - audioPromptTokens, 1],
    ['cached prompt tokens', cachedTokens, price.cacheRatio],
    ['prompt tokens written to cache', cacheWriteTokens, price.cacheWriteRatio],
    ['audio prompt tokens', audioPromptTokens, price.audioRatio],
    ['completion tokens', completionTokens - audioCompletionTokens, price.completionRatio],
    ['audio completion tokens', audioCompletionTokens, price.audioRatio * price.audioCompletionRatio],
  ]
  return [
    ...parts
      .filter(([title, tokens]) => tokens !== 0 || /^(prompt|completion) tokens$/.test(title))
      .map(([title, tokens, ratio]): Line => [title, `${tokens} × ${ratio}`, rounded(tokens * ratio)]),
    ['model ratio', `× ${price.modelRatio}`],
    ['group ratio', `× ${price.groupRatio}`],
  ]
}

/** Calls of tools that the upstream ran, before the group ratio. */
function toolLines({ toolCalls }: Receipt): Line[] {
  return toolCalls.map(({ tool, calls, price }) => [
    printable(tool),
    `${calls} × $${price}`,
    `$${rounded(calls * price)}`,
  ])
}

function totals({ charged, recomputed }: Receipt, { quota }: Format): Line[] {
  return [
    ['computed', quota(recomputed)],
    ['charged', quota(charged)],
  ]
}

const TITLE_WIDTH = 32
const FACTORS_WIDTH = 20
function line({ text }: Cli, title: string, value: string | number = '', result?: string): string {
  const translated = text(title)
  const start = translated + ' '.repeat(Math.max(0, TITLE_WIDTH - displayWidth(translated)))
  const whole = result === undefined ? `${start}${value}` : `${start}${String(value).padEnd(FACTORS_WIDTH)}= ${result}`
  return whole.trimEnd()
}

function rounded(value: number): string {
  return String(Number(value.toFixed(6)))
}
