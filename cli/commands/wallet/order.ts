import { closeSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { NewOrder } from '../../../core/wallet/orders.ts'
import type { Cli } from '../../cli.ts'
import { openNew } from '../../output/output-file.ts'

/**
 * Creates an order and prints a payment link. With `output`, instead writes an HTML page that posts the payment form as
 * the web console does.
 */
export async function order(cli: Cli, wanted: NewOrder, output: string | undefined): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const file = output === undefined ? undefined : openNew(cli, output)
  try {
    const { url, form } = await toolkit.wallet.pay(actor, wanted)
    const link = `${url}?${new URLSearchParams(form)}`
    if (file !== undefined) writeSync(file, pageOf(url, form))
    if (cli.json) cli.writeJson({ trade_no: form.out_trade_no, money: form.money, url, form, link })
    else {
      cli.note(cli.t('wallet.createdOrder', { outTradeNo: form.out_trade_no, money: form.money }))
      if (output === undefined) cli.write(link)
      else cli.note(cli.t('wallet.openInABrowserToPay', { output }))
    }
  } catch (error) {
    if (output !== undefined) rmSync(resolve(cli.folder, output), { force: true })
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function pageOf(url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Tollgate</title>
<form method="post" action="${escaped(url)}">
${fields.join('\n')}
<button>${escaped(form.money ?? '')}</button>
</form>
<script>document.forms[0].submit()</script>
`
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
