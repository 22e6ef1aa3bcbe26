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

/** The payment provider's name of each payment method that --method accepts. */
const METHODS: Record<string, string> = { zfb: 'zfb', alipay: 'zfb', wx: 'wx', wechat: 'wx', wxpay: 'wx' }

export const walletTopUp = plainVerb({
  name: 'top-up',
  description: 'wallet.buyQuota',
  examples: ['tollgate wallet top-up', 'tollgate wallet top-up 10'],
  syntax: (command) =>
    command
      .argument('[amount]', 'wallet.wholeDollars', wholeNumber({ min: 1, max: QUOTA_MAX }))
      .option('--method <word>', 'wallet.createAnOrder')
      .option('--output <file>', 'wallet.withMethod'),
  async run(cli, amount: number | undefined, { method, output }: Options) {
    if (amount === undefined && method !== undefined) throw usageError(cli.t('wallet.methodNeedsAnAmount'))
    if (method === undefined && output !== undefined) throw usageError(cli.t('wallet.outputNeedsMethod'))
    if (amount === undefined) return showTerms(cli)
    if (method === undefined) return showCost(cli, amount)
    const payment_method = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (payment_method === undefined) throw usageError(cli.t('wallet.methodMustBeAlipayOrWechat', { method }))
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
      { name: 'shop', value: ({ link }: TopUpTerms) => link || '-' },
      { name: 'online-payment', value: ({ online }, { t }) => t(online ? 'label.yes' : 'label.no') },
      { name: 'price-of-a-dollar', value: ({ price }) => String(price) },
      { name: 'smallest-top-up', value: ({ minimum }) => `$${minimum}` },
    ],
  })
}

async function showCost(cli: Cli, amount: number): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const money = await toolkit.wallet.amountToPay(actor, amount)
  if (cli.json) return cli.writeJson({ amount, money })
  cli.write(money)
}
