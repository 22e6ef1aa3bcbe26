import { QUOTA_MAX } from '../../core/input.ts'
import { defined } from '../../core/records.ts'
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
    description: 'wallet.showYourBalanceAndUsage',
    examples: ['tollgate wallet balance'],
    columns: BALANCE_COLUMNS,
    async record({ toolkit, actor }) {
      const { quota, used_quota, request_count, aff_quota } = await toolkit.profile.get(actor)
      return { quota, used_quota, request_count, invite_quota: aff_quota }
    },
  }),
  plainVerb({
    name: 'redeem',
    description: 'wallet.redeemACodeForYourBalance',
    examples: ['tollgate redemption create --quota 500000 | tollgate wallet redeem --stdin'],
    syntax: (command) =>
      command.argument('[code]', 'wallet.redemptionCode').option('--stdin', 'wallet.readTheCodeFromStdin'),
    async run(cli, given: string | undefined, { stdin }: { stdin?: true }) {
      if (given !== undefined && stdin) throw usageError(cli.t('wallet.passEitherACodeOrStdin'))
      const code = stdin ? await cli.readInput() : (given ?? (await promptForCode(cli)))
      const { toolkit, actor } = await cli.open()
      const { quota } = await cli.format()
      const added = await toolkit.redemption.redeem(actor, code.trim())
      const user = await cli.readBack(() => toolkit.profile.get(actor))
      if (!user) return cli.report(cli.t('wallet.added', { added: quota(added) }), { added, quota: null })
      cli.report(cli.t('wallet.addedYourBalanceIs', { added: quota(added), quota: quota(user.quota) }), {
        added,
        quota: user.quota,
      })
    },
  }),
  walletTopUp,
  verb({
    name: 'transfer',
    description: 'wallet.moveInviteEarningsToYourBalance',
    examples: ['tollgate wallet transfer 500000', 'tollgate wallet transfer 1000000 --idempotency-key november'],
    syntax: (command) =>
      command
        .argument('<quota>', 'wallet.amountAtLeastTheOption', quotaAmount({ min: 1, max: QUOTA_MAX }))
        .option('--idempotency-key <text>', 'wallet.idempotencyKey', idempotencyKey),
    async run({ cli, toolkit, actor }, moved: number, { idempotencyKey: key }: { idempotencyKey?: string }) {
      const { quota } = await cli.format()
      await runIdempotent(cli, key, (idempotency) => toolkit.profile.transferInvites(actor, moved, idempotency))
      const user = await cli.readBack(() => toolkit.profile.get(actor))
      if (!user)
        return cli.report(cli.t('wallet.moved', { moved: quota(moved) }), { moved, quota: null, invite_quota: null })
      const { quota: balance, aff_quota } = user
      cli.report(cli.t('wallet.movedYourBalanceIs', { moved: quota(moved), balance: quota(balance) }), {
        moved,
        quota: balance,
        invite_quota: aff_quota,
      })
    },
  }),
  pagedVerb({
    name: 'orders',
    description: 'wallet.listQuotaOrders',
    examples: ['tollgate wallet orders', 'tollgate wallet orders --everybody --status pending'],
    syntax: (command) =>
      command
        .option('--everybody', 'wallet.ofAllUsers')
        .option('--user <name>', 'wallet.withEverybody')
        .option('--status <word>', 'wallet.withEverybodyFilter')
        .option('--order <number>', 'wallet.withEverybodyFilterByOrder'),
    columns: ORDER_COLUMNS,
    check({ t }, { everybody, user, status, order }: OrderFilter) {
      const isFiltered = user !== undefined || status !== undefined || order !== undefined
      if (isFiltered && !everybody) throw usageError(t('wallet.userStatusAndOrderNeed'))
      if (status !== undefined && !ORDER_STATUS.includes(status))
        throw usageError(t('wallet.statusMust', { orderStatus: ORDER_STATUS.join(', '), status }))
    },
    pages({ toolkit, actor }, { everybody, user, status, order }: OrderFilter) {
      const filter = defined({ username: user, status, trade_no: order })
      return (paging) =>
        everybody ? toolkit.wallet.orders(actor, { ...filter, ...paging }) : toolkit.wallet.ownOrders(actor, paging)
    },
    empty: ({ t }) => t('wallet.noOrders'),
  }),
  pagedVerb({
    name: 'callbacks',
    description: 'wallet.listPaymentNotificationsAndVerdicts',
    examples: ['tollgate wallet callbacks --verdict failed'],
    syntax: (command) =>
      command
        .option('--order <number>', 'wallet.filterByOrderNumber')
        .option('--verdict <word>', 'wallet.filterByVerdict'),
    columns: CALLBACK_COLUMNS,
    async check({ t }, { verdict }: CallbackFilter) {
      const VERDICTS: readonly string[] = (await import('../../core/wallet/schema.ts')).VERDICTS
      if (verdict !== undefined && !VERDICTS.includes(verdict))
        throw usageError(t('wallet.verdictMust', { verdicts: VERDICTS.join(', '), verdict }))
    },
    pages({ toolkit, actor }, { order, verdict }: CallbackFilter) {
      const filter = defined({ trade_no: order, verdict })
      return (paging) => toolkit.wallet.callbacks(actor, { ...filter, ...paging })
    },
    empty: ({ t }) => t('wallet.noNotifications'),
  }),
  verb({
    name: 'replay',
    description: 'wallet.processAPaymentNotificationAgain',
    examples: ['tollgate wallet replay 1'],
    syntax: (command) => command.argument('<id>', 'wallet.notificationId', positiveInt),
    async run({ cli, toolkit, actor }, id: number) {
      const notification = await toolkit.wallet.replay(actor, id)
      if (notification.verdict !== 'credited' && notification.verdict !== 'repeated') cli.exitCode = EXIT.failed
      const why = notification.reason === '' ? '' : ` (${notification.reason})`
      cli.report(
        cli.t('wallet.notificationOfOrder', {
          id,
          tradeNo: notification.trade_no || '-',
          verdict: notification.verdict,
          why,
        }),
        notification,
      )
    },
  }),
])

async function promptForCode(cli: Cli): Promise<string> {
  if (!cli.interactive) throw usageError(cli.t('wallet.missingCode'))
  return (await cli.prompts()).input({ message: cli.t('wallet.code') })
}
