import { Command } from 'commander'
import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { idempotencyKey } from '../../input/arguments.ts'
import { quotaAmount } from '../../output/dollars.ts'
import { runIdempotent } from '../../run/run-idempotent.ts'

export function teamTransfer(cli: Cli): Command {
  return new Command('transfer')
    .description('Move quota from your balance to the balance of a team')
    .argument('<name|id>', 'name or number of the team')
    .argument('<quota>', "how much, such as 500000 or '$1'", quotaAmount({ min: 1, max: QUOTA_MAX }))
    .option('--idempotency-key <text>', 'move it once, however often the command is run with this key', idempotencyKey)
    .addHelpText('after', '\nExample:\n  tollgate team transfer lab 500000')
    .action(async (nameOrId: string, moved: number, { idempotencyKey: key }: { idempotencyKey?: string }) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await runIdempotent(cli, key, (idempotency) => toolkit.teams.transfer(actor, id, moved, idempotency))
      const team = await cli.readBack(() => toolkit.teams.get(actor, id))
      if (!team) return cli.report(cli.say`Moved ${quota(moved)} to team ${name}.`, { moved, quota: null })
      cli.report(cli.say`Moved ${quota(moved)} to team ${name}, which has ${quota(team.quota)}.`, {
        moved,
        quota: team.quota,
      })
    })
}
