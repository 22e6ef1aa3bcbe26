import { Command } from 'commander'
import type { Receipt } from '../../../core/logs/receipt.ts'
import type { Price, Usage } from '../../../core/pricing/prices.ts'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { EXIT } from '../../errors.ts'
import type { Format } from '../../format.ts'

export function logReceipt(cli: Cli): Command {
  return new Command('receipt')
    .description('Compute the price of a log row again; exit code 1 when it is not equal')
    .argument('<id>', 'number of the log row', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate log receipt 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { BY_USAGE }] = await Promise.all([
        cli.open(),
        import('../../../core/pricing/price.ts'),
      ])
      const receipt = await toolkit.logs.receipt(actor, id)
      if (!receipt.equal) cli.exitCode = EXIT.failed
      if (cli.json) return cli.writeJson(receipt)
      const { price, usage } = receipt
      const lines = price.modelPrice === BY_USAGE ? byUsage(price, usage) : perCall(price)
      for (const line of [...heading(receipt, await cli.format()), ...lines, ...verdict(receipt, await cli.format())]) {
        cli.write(line)
      }
    })
}

function heading({ log }: Receipt, { moment }: Format): string[] {
  return [`Log row ${log.id}: ${log.model_name}, ${log.username}, ${moment(log.created_at)}`, '']
}

function perCall({ modelPrice, groupRatio, quotaPerUnit }: Price): string[] {
  return [
    line('price per call', `$${modelPrice}`),
    line('quota per dollar', quotaPerUnit),
    line('group ratio', groupRatio),
  ]
}

/** The parts are those of `chargeQuota`, which has the last word: this only shows what went in. */
function byUsage(price: Price, usage: Usage): string[] {
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
      .map(([title, tokens, ratio]) => line(title, `${tokens} × ${ratio}`, rounded(tokens * ratio))),
    line('model ratio', `× ${price.modelRatio}`),
    line('group ratio', `× ${price.groupRatio}`),
  ]
}

function verdict({ charged, recomputed, equal }: Receipt, { quota, color }: Format): string[] {
  return [
    '',
    line('computed', quota(recomputed)),
    line('charged', quota(charged)),
    equal ? color.green('equal') : color.red('NOT equal'),
  ]
}

const TITLE_WIDTH = 32
const FACTORS_WIDTH = 20
function line(title: string, value: string | number, result?: string): string {
  const start = title.padEnd(TITLE_WIDTH)
  return result === undefined ? `${start}${value}` : `${start}${String(value).padEnd(FACTORS_WIDTH)}= ${result}`
}

function rounded(value: number): string {
  return String(Number(value.toFixed(6)))
}
