import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import type { TopUpTerms } from '../../toolkit.ts'

interface Options {
  method?: string
  output?: string
}

/** Payment methods and the payment provider's names for them. */
const METHODS: Record<string, string> = { zfb: 'zfb', alipay: 'zfb', wx: 'wx', wechat: 'wx', wxpay: 'wx' }

export const walletTopUp = plainVerb({
  name: 'top-up',
  description: 'Buy quota: show methods and prices, or with --method create an order',
  examples: ['tollgate wallet top-up', 'tollgate wallet top-up 10'],
  syntax: (command) =>
    command
      .argument(
        '[amount]',
        'whole dollars, or quota if the gateway does not show dollars',
        wholeNumber({ min: 1, max: QUOTA_MAX }),
      )
      .option('--method <word>', 'create an order: alipay or wechat; prints the payment link')
      .option('--output <file>', 'with --method: write a page to this new file that opens the payment'),
  async run(cli, amount: number | undefined, { method, output }: Options) {
    if (amount === undefined && method !== undefined) throw usageError(cli.say`--method needs an amount`)
    if (method === undefined && output !== undefined) throw usageError(cli.say`--output needs --method`)
    if (amount === undefined) return showTerms(cli)
    if (method === undefined) return showCost(cli, amount)
    const payment_method = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (payment_method === undefined) throw usageError(cli.say`--method must be alipay or wechat, not '${method}'`)
    const { order } = await import('./order.ts')
    await order(cli, { amount, payment_method }, output)
  },
})

async function showTerms(cli: Cli): Promise<void> {
  const { toolkit } = await cli.open()
  const { quotaPerUnit } = await toolkit.display()
  const terms = { ...(await toolkit.topUpTerms()), quota_per_dollar: quotaPerUnit }
  await cli.show(terms, {
    columns: [
      { title: 'shop', value: ({ link }: TopUpTerms) => link || '-' },
      { title: 'online payment', value: ({ online }, { text }) => text(online ? 'yes' : 'no') },
      { title: 'price of a dollar', value: ({ price }) => String(price) },
      { title: 'smallest top-up', value: ({ minimum }) => `$${minimum}` },
    ],
  })
}

async function showCost(cli: Cli, amount: number): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const money = await toolkit.wallet.amountToPay(actor, amount)
  if (cli.json) return cli.writeJson({ amount, money })
  cli.write(money)
}
