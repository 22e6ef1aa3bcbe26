import { QUOTA_MAX } from '../../core/input.ts'
import type { Cli } from '../cli.ts'
import { BALANCE_COLUMNS, CALLBACK_COLUMNS, ORDER_COLUMNS } from '../columns/wallet.ts'
import { EXIT, usageError } from '../errors.ts'
import { idempotencyKey, positiveInt } from '../input/arguments.ts'
import { quotaAmount } from '../output/dollars.ts'
import { runIdempotent } from '../run/run-idempotent.ts'
import { noun, pagedVerb, plainVerb, showVerb, verb } from '../run/verbs.ts'
import { walletTopUp } from './wallet/top-up.ts'

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
    description: 'Show your balance and usage',
    examples: ['tollgate wallet balance'],
    columns: BALANCE_COLUMNS,
    async record({ toolkit, actor }) {
      const { quota, used_quota, request_count, aff_quota } = await toolkit.profile.get(actor)
      return { quota, used_quota, request_count, invite_quota: aff_quota }
    },
  }),
  plainVerb({
    name: 'redeem',
    description: 'Redeem a code for your balance',
    examples: ['tollgate redemption create --quota 500000 | tollgate wallet redeem --stdin'],
    syntax: (command) =>
      command
        .argument('[code]', 'redemption code')
        .option('--stdin', 'read the code from stdin, which keeps it out of the process list'),
    async run(cli, given: string | undefined, { stdin }: { stdin?: true }) {
      if (given !== undefined && stdin) throw usageError(cli.say`pass either a code or --stdin, not both`)
      const code = stdin ? await cli.readInput() : (given ?? (await promptForCode(cli)))
      const { toolkit, actor } = await cli.open()
      const { quota } = await cli.format()
      const added = await toolkit.redemption.redeem(actor, code.trim())
      const user = await cli.readBack(() => toolkit.profile.get(actor))
      if (!user) return cli.report(cli.say`Added ${quota(added)}.`, { added, quota: null })
      cli.report(cli.say`Added ${quota(added)}; your balance is ${quota(user.quota)}.`, { added, quota: user.quota })
    },
  }),
  walletTopUp,
  verb({
    name: 'transfer',
    description: 'Move invite earnings to your balance',
    examples: ['tollgate wallet transfer 500000', 'tollgate wallet transfer 1000000 --idempotency-key november'],
    syntax: (command) =>
      command
        .argument('<quota>', 'amount, at least the option QuotaPerUnit', quotaAmount({ min: 1, max: QUOTA_MAX }))
        .option(
          '--idempotency-key <text>',
          'idempotency key: the amount is moved only once with the same key',
          idempotencyKey,
        ),
    async run({ cli, toolkit, actor }, moved: number, { idempotencyKey: key }: { idempotencyKey?: string }) {
      const { quota } = await cli.format()
      await runIdempotent(cli, key, (idempotency) => toolkit.profile.transferInvites(actor, moved, idempotency))
      const user = await cli.readBack(() => toolkit.profile.get(actor))
      if (!user) return cli.report(cli.say`Moved ${quota(moved)}.`, { moved, quota: null, invite_quota: null })
      const { quota: balance, aff_quota } = user
      cli.report(cli.say`Moved ${quota(moved)}; your balance is ${quota(balance)}.`, {
        moved,
        quota: balance,
        invite_quota: aff_quota,
      })
    },
  }),
  pagedVerb({
    name: 'orders',
    description: 'List quota orders, newest first',
    examples: ['tollgate wallet orders', 'tollgate wallet orders --everybody --status pending'],
    syntax: (command) =>
      command
        .option('--everybody', 'of all users; administrators only')
        .option('--user <name>', 'with --everybody: filter by user')
        .option('--status <word>', 'with --everybody: filter by status, pending or success')
        .option('--order <number>', 'with --everybody: filter by order number, such as USR1NO…'),
    columns: ORDER_COLUMNS,
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
    description: 'List payment notifications and verdicts, newest first; administrators only',
    examples: ['tollgate wallet callbacks --verdict failed'],
    syntax: (command) =>
      command
        .option('--order <number>', 'filter by order number')
        .option('--verdict <word>', 'filter by verdict: credited, repeated, ignored, refused or failed'),
    columns: CALLBACK_COLUMNS,
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
    description: 'Process a payment notification again, with current settings; administrators only',
    examples: ['tollgate wallet replay 1'],
    syntax: (command) => command.argument('<id>', 'notification ID, from wallet callbacks', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const judged = await toolkit.wallet.replay(actor, id)
      if (judged.verdict !== 'credited' && judged.verdict !== 'repeated') cli.exitCode = EXIT.failed
      const why = judged.reason === '' ? '' : ` (${judged.reason})`
      cli.report(cli.say`Notification ${id} of order ${judged.trade_no || '-'}: ${judged.verdict}${why}.`, judged)
    },
  }),
])

async function promptForCode(cli: Cli): Promise<string> {
  if (!cli.interactive) throw usageError(cli.say`missing code: pass it as an argument or with --stdin`)
  return (await cli.prompts()).input({ message: cli.text('Code') })
}
