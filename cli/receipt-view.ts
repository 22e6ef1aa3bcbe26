import type { Receipt } from '../core/logs/receipt.ts'
import type { Cli } from './cli.ts'
import { EXIT } from './errors.ts'
import { padded } from './output/display-width.ts'
import type { Format } from './output/format.ts'
import { sanitizeName } from './output/sanitize.ts'
import { type ReceiptLine, receiptLines } from './receipt-lines.ts'

/** Prints a receipt. Sets exit code 1 if the computed price differs from the charge. */
export async function showReceipt(cli: Cli, receipt: Receipt): Promise<void> {
  if (!receipt.equal) cli.exitCode = EXIT.failed
  if (cli.json) return cli.writeJson(receipt)
  const format = await cli.format()
  cli.write(heading(cli, receipt, format))
  for (const parts of [[''] as ReceiptLine, ...receiptLines(receipt, format)]) cli.write(line(...parts))
  if (!receipt.isCharged) cli.write(cli.t('log.notCharged'))
  cli.write(receipt.equal ? format.color.green(cli.t('ui.equal')) : format.color.red(cli.t('ui.notEqual')))
}

function heading({ t }: Cli, { log }: Receipt, { moment }: Format): string {
  return t('log.logRow', {
    id: log.id,
    modelName: sanitizeName(log.model_name),
    username: sanitizeName(log.username),
    createdAt: moment(log.created_at),
  })
}

const TITLE_WIDTH = 32
const FACTORS_WIDTH = 20
function line(title: string, value: string | number = '', result?: string): string {
  const start = padded(title, TITLE_WIDTH)
  const text = result === undefined ? `${start}${value}` : `${start}${String(value).padEnd(FACTORS_WIDTH)}= ${result}`
  return text.trimEnd()
}
