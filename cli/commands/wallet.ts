import { EXIT, usageError } from '../errors.ts'
import { positiveInt } from '../input/arguments.ts'
import { noun, pagedVerb, showVerb, verb } from '../run/verbs.ts'
import { walletRedeem } from './wallet/redeem.ts'
import { walletTopUp } from './wallet/top-up.ts'
import { walletTransfer } from './wallet/transfer.ts'

interface OrderFilter {
  everybody?: true
  user?: string
  status?: string
  order?: string
}

interface CallbackFilter {
  order?: string
  verdict?: string
}

const ORDER_STATUS = ['pending', 'success']

export const wallet = noun('wallet', [
  showVerb({
    name: 'balance',
    description: 'Show what you have left, and what you have used',
    examples: ['tollgate wallet balance'],
    columns: async () => (await import('../columns/wallet.ts')).BALANCE_COLUMNS,
    async record({ toolkit, actor }) {
      const { quota, used_quota, request_count, aff_quota } = await toolkit.profile.get(actor)
      return { quota, used_quota, request_count, invite_quota: aff_quota }
    },
  }),
  walletRedeem,
  walletTopUp,
  walletTransfer,
  pagedVerb({
    name: 'orders',
    description: 'List orders of quota, newest first',
    examples: ['tollgate wallet orders', 'tollgate wallet orders --everybody --status pending'],
    syntax: (command) =>
      command
        .option('--everybody', "all users'; for administrators")
        .option('--user <name>', 'with --everybody: only those of this user')
        .option('--status <word>', 'with --everybody: only pending or success')
        .option('--order <number>', 'with --everybody: only the order of this number, such as USR1NO…'),
    columns: async () => (await import('../columns/wallet.ts')).ORDER_COLUMNS,
    check({ say }, { everybody, user, status, order }: OrderFilter) {
      const isFiltered = user !== undefined || status !== undefined || order !== undefined
      if (isFiltered && !everybody) throw usageError(say`--user, --status and --order need --everybody`)
      if (status !== undefined && !ORDER_STATUS.includes(status))
        throw usageError(say`--status must be one of ${ORDER_STATUS.join(', ')}, not '${status}'`)
    },
    pages({ toolkit, actor }, { everybody, user, status, order }: OrderFilter) {
      const filter = {
        ...(user !== undefined && { username: user }),
        ...(status !== undefined && { status }),
        ...(order !== undefined && { trade_no: order }),
      }
      return (paging) =>
        everybody ? toolkit.wallet.orders(actor, { ...filter, ...paging }) : toolkit.wallet.ownOrders(actor, paging)
    },
    empty: ({ say }) => say`No orders.`,
  }),
  pagedVerb({
    name: 'callbacks',
    description: 'List what the payment gateway has said, with verdicts, newest first; for administrators',
    examples: ['tollgate wallet callbacks --verdict failed'],
    syntax: (command) =>
      command
        .option('--order <number>', 'only about the order of this number')
        .option('--verdict <word>', 'only credited, repeated, ignored, refused or failed'),
    columns: async () => (await import('../columns/wallet.ts')).CALLBACK_COLUMNS,
    async check({ say }, { verdict }: CallbackFilter) {
      const VERDICTS: readonly string[] = (await import('../../core/wallet/schema.ts')).VERDICTS
      if (verdict !== undefined && !VERDICTS.includes(verdict))
        throw usageError(say`--verdict must be one of ${VERDICTS.join(', ')}, not '${verdict}'`)
    },
    pages({ toolkit, actor }, { order, verdict }: CallbackFilter) {
      const filter = { ...(order !== undefined && { trade_no: order }), ...(verdict !== undefined && { verdict }) }
      return (paging) => toolkit.wallet.callbacks(actor, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No notifications.`,
  }),
  verb({
    name: 'replay',
    description: 'Judge a notification of the payment gateway again, by the settings of now; for administrators',
    examples: ['tollgate wallet replay 1'],
    syntax: (command) => command.argument('<id>', 'number of the notification, of wallet callbacks', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const judged = await toolkit.wallet.replay(actor, id)
      if (judged.verdict !== 'credited' && judged.verdict !== 'repeated') cli.exitCode = EXIT.failed
      const why = judged.reason === '' ? '' : ` (${judged.reason})`
      cli.report(cli.say`Notification ${id} of order ${judged.trade_no || '-'}: ${judged.verdict}${why}.`, judged)
    },
  }),
])
