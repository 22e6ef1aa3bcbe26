import { QUOTA_MAX } from '../../../core/input.ts'
import { idempotencyKey } from '../../input/arguments.ts'
import { quotaAmount } from '../../output/dollars.ts'
import { runIdempotent } from '../../run/run-idempotent.ts'
import { verb } from '../../run/verbs.ts'

export const walletTransfer = verb({
  name: 'transfer',
  description: 'Move invite earnings to your balance',
  examples: ['tollgate wallet transfer 500000', 'tollgate wallet transfer 1000000 --idempotency-key november'],
  syntax: (command) =>
    command
      .argument('<quota>', 'how much, at least the option QuotaPerUnit', quotaAmount({ min: 1, max: QUOTA_MAX }))
      .option(
        '--idempotency-key <text>',
        'move them once, however often the command is run with this key',
        idempotencyKey,
      ),
  async run({ cli, toolkit, actor }, moved: number, { idempotencyKey: key }: { idempotencyKey?: string }) {
    const { quota } = await cli.format()
    await runIdempotent(cli, key, (idempotency) => toolkit.profile.transferInvites(actor, moved, idempotency))
    const user = await cli.readBack(() => toolkit.profile.get(actor))
    if (!user) return cli.report(cli.say`Moved ${quota(moved)}.`, { moved, quota: null, invite_quota: null })
    const { quota: balance, aff_quota } = user
    cli.report(cli.say`Moved ${quota(moved)}; you have ${quota(balance)}.`, {
      moved,
      quota: balance,
      invite_quota: aff_quota,
    })
  },
})
