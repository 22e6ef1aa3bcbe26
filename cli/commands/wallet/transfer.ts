import { Command } from 'commander'
import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { idempotencyKey } from '../../input/arguments.ts'
import { quotaAmount } from '../../output/dollars.ts'
import { runIdempotent } from '../../run/run-idempotent.ts'

export function walletTransfer(cli: Cli): Command {
  return new Command('transfer')
    .description('Move invite earnings to your balance')
    .argument('<quota>', 'how much, at least the option QuotaPerUnit', quotaAmount({ min: 1, max: QUOTA_MAX }))
    .option(
      '--idempotency-key <text>',
      'move them once, however often the command is run with this key',
      idempotencyKey,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate wallet transfer 500000' +
        '\n  tollgate wallet transfer 1000000 --idempotency-key november',
    )
    .action(async (moved: number, { idempotencyKey: key }: { idempotencyKey?: string }) => {
      const { toolkit, actor } = await cli.open()
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
    })
}
